-- Spaces side by side: every page of a list is a range inside one space, whatever others hold.

DROP INDEX tools_by_type;
DROP INDEX tools_by_category;
DROP INDEX tools_by_executor;
CREATE INDEX tools_by_type ON tools (namespace, tool_type, tool_id) WHERE absent_since IS NULL;
CREATE INDEX tools_by_category ON tools (namespace, category, tool_id) WHERE absent_since IS NULL;
CREATE INDEX tools_by_executor ON tools (namespace, executor_id, tool_type, tool_id)
    WHERE absent_since IS NULL;

-- What trust is judged by, of the latest version. declared_effect: if the manifest is believed.
ALTER TABLE tools ADD COLUMN content_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE tools ADD COLUMN claimed_hash TEXT;
ALTER TABLE tools ADD COLUMN replaced_hash TEXT;
ALTER TABLE tools ADD COLUMN declared_effect TEXT NOT NULL DEFAULT 'writes'
    CHECK (declared_effect IN ('reads', 'writes', 'destroys'));
ALTER TABLE tool_versions ADD COLUMN replaced_hash TEXT;
ALTER TABLE tool_versions ADD COLUMN declared_effect TEXT NOT NULL DEFAULT 'writes'
    CHECK (declared_effect IN ('reads', 'writes', 'destroys'));

UPDATE tool_versions SET declared_effect = effect;
UPDATE tools SET declared_effect = effect, content_hash =
    (SELECT v.content_hash FROM tool_versions v WHERE v.tool_id = tools.id AND v.is_latest = 1);

CREATE TRIGGER tool_versions_judged_once
BEFORE UPDATE OF replaced_hash, declared_effect ON tool_versions
BEGIN
    SELECT RAISE(ABORT, 'a version is immutable');
END;

-- What the owner's key signed. The signature covers every other column.
CREATE TABLE attestations (
    content_hash TEXT NOT NULL CHECK (length(content_hash) = 64),
    key_id TEXT NOT NULL,
    tool_id TEXT NOT NULL,
    version TEXT NOT NULL,
    signed_at TEXT NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY (content_hash, key_id)
) STRICT, WITHOUT ROWID;

-- The file trees that spaces mirror, and each file or folder in them that is a tool.
CREATE TABLE trees (
    namespace TEXT NOT NULL PRIMARY KEY,
    path TEXT NOT NULL,
    synced_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tree_units (
    namespace TEXT NOT NULL REFERENCES trees (namespace) ON DELETE CASCADE,
    path TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    tool_id TEXT,
    state TEXT NOT NULL CHECK (state IN ('stored', 'waiting', 'broken')),
    problems TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(problems)),
    PRIMARY KEY (namespace, path)
) STRICT, WITHOUT ROWID;

CREATE INDEX tree_units_by_tool ON tree_units (namespace, tool_id);
CREATE INDEX tree_units_amiss ON tree_units (namespace, path) WHERE problems <> '[]';
