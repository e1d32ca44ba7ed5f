"""The rules about history, for `explain`: they compare with git, and live and run where git is asked."""

from __future__ import annotations

from cabinet_ci.history.changes import frozen_version_changed, release_tag_without_version
from cabinet_ci.history.order import changelog_says_nothing, version_out_of_order
from cabinet_ci.history.release import tag_at_another_tree
from cabinet_ci.rules.registry import history_rule

history_rule("CAB801")(frozen_version_changed)
history_rule("CAB802", "warning")(release_tag_without_version)
history_rule("CAB803")(tag_at_another_tree)
history_rule("CAB810", "warning")(version_out_of_order)
history_rule("CAB811")(changelog_says_nothing)
