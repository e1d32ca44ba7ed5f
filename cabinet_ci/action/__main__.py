"""`python -m cabinet_ci.action STEP`: a step of the action."""

from __future__ import annotations

import sys

from cabinet_ci.failure import CannotRun


def main(arguments: list[str]) -> int:
    """Run one step and return the exit code; whatever can't be done is told as an annotation of the job."""
    from cabinet_ci.action.job import Job
    from cabinet_ci.action.steps import STEPS

    job = Job()
    step = STEPS.get(arguments[0] if arguments else "")
    if step is None:
        job.annotate("error", f"there is no step {' '.join(arguments)}; the steps are {', '.join(STEPS)}")
        return 2
    try:
        return step(job)
    except CannotRun as failure:
        job.annotate("error", str(failure))
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
