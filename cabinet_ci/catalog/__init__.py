"""What is on disk: paths and identities, manifests as Structs, values with positions. Parsed, not judged."""
