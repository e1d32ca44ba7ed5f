"""The sandbox: the only place that talks to wasmtime."""
