"""The engine that a run is made with, as the templates of its prompt and specs see it."""

from __future__ import annotations

import msgspec

from cabinet_ci.config import NO_ENGINE, Config, known_engines
from cabinet_ci.failure import CannotRun


class Engine(msgspec.Struct, frozen=True):
    """The variables `engine.*`; `docs` is a path inside the run container, empty where there is no documentation."""

    slug: str
    name: str
    docs: str = ""

    @property
    def values(self) -> dict[str, str]:
        """The variables, by name."""
        return {"slug": self.slug, "name": self.name, "docs": self.docs}


WITHOUT_ENGINE = Engine(NO_ENGINE, "None")


def find_engine(config: Config, slug: str) -> Engine:
    """The engine with this slug. Raises `CannotRun`, with the known ones, where there is none."""
    known = known_engines(config)
    if slug not in known:
        raise CannotRun(
            f"there is no engine `{slug}`",
            f"known are {', '.join(known)}; others are configured as [engines.<slug>] in cabinet-ci.toml",
        )
    return Engine(slug, known[slug].name, known[slug].docs)
