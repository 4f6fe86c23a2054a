-- Tools, their versions and their files. Wide columns come last, so that a look at a
-- narrow one reads no overflow page.

CREATE TABLE tools (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tool_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    tool_type TEXT NOT NULL,
    executor_id TEXT,
    category TEXT NOT NULL DEFAULT '',
    subcategory TEXT NOT NULL DEFAULT '',
    is_official INTEGER NOT NULL DEFAULT 0 CHECK (is_official IN (0, 1)),
    is_builtin INTEGER NOT NULL DEFAULT 0 CHECK (is_builtin IN (0, 1)),
    visibility TEXT NOT NULL DEFAULT 'public'
        CHECK (visibility IN ('public', 'unlisted', 'private')),
    download_count INTEGER NOT NULL DEFAULT 0 CHECK (download_count >= 0),
    quality_score REAL CHECK (quality_score BETWEEN 0 AND 1),
    latest_version TEXT NOT NULL,
    effect TEXT NOT NULL CHECK (effect IN ('reads', 'writes', 'destroys')),
    absent_since TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '[]'
        CHECK (json_valid(tags) AND json_type(tags) = 'array'),
    CONSTRAINT tools_tool_id_form CHECK (
        tool_id GLOB '[a-z0-9]*'
        AND tool_id NOT GLOB '*[^a-z0-9_.-]*'
        AND length(tool_id) <= 128
        AND length(tool_id) = octet_length(tool_id)
    ),
    CONSTRAINT tools_namespace_form CHECK (
        namespace IN ('public', 'user') OR namespace GLOB 'project:?*'
    ),
    CONSTRAINT tools_type_check CHECK (
        tool_type IN ('primitive', 'runtime', 'mcp_server', 'mcp_tool', 'script', 'api',
                      'directive', 'thread', 'knowledge', 'composite')
    ),
    CONSTRAINT tools_executor_required CHECK (
        (executor_id IS NULL) = (tool_type IN ('primitive', 'knowledge', 'composite'))
    )
) STRICT;

-- One index per way of paging; each ends in what makes the order total.
CREATE UNIQUE INDEX tools_by_space ON tools (namespace, tool_id);
CREATE INDEX tools_by_id ON tools (tool_id, namespace) WHERE absent_since IS NULL;
CREATE INDEX tools_by_type ON tools (tool_type, tool_id, namespace) WHERE absent_since IS NULL;
CREATE INDEX tools_by_category ON tools (category, tool_id, namespace) WHERE absent_since IS NULL;
CREATE INDEX tools_by_executor ON tools (executor_id, tool_type, tool_id, namespace)
    WHERE absent_since IS NULL;
CREATE INDEX tools_builtin ON tools (tool_id) WHERE is_builtin = 1;

CREATE TABLE tool_versions (
    id TEXT NOT NULL PRIMARY KEY,
    tool_id TEXT NOT NULL REFERENCES tools (id) ON DELETE CASCADE,
    version TEXT NOT NULL,
    content_hash TEXT NOT NULL CHECK (length(content_hash) = 64),
    effect TEXT NOT NULL CHECK (effect IN ('reads', 'writes', 'destroys')),
    is_latest INTEGER NOT NULL DEFAULT 0 CHECK (is_latest IN (0, 1)),
    is_shipped INTEGER NOT NULL DEFAULT 0 CHECK (is_shipped IN (0, 1)),
    created_at TEXT NOT NULL,
    changelog TEXT NOT NULL DEFAULT '',
    manifest_file TEXT,
    manifest TEXT NOT NULL CHECK (json_valid(manifest)),
    manifest_yaml TEXT,
    UNIQUE (tool_id, version),
    CONSTRAINT tool_versions_one_source CHECK ((manifest_yaml IS NULL) <> (manifest_file IS NULL))
) STRICT;

CREATE UNIQUE INDEX tool_versions_latest ON tool_versions (tool_id) WHERE is_latest = 1;

CREATE TABLE tool_version_files (
    id TEXT NOT NULL PRIMARY KEY,
    tool_version_id TEXT NOT NULL REFERENCES tool_versions (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
    is_entrypoint INTEGER NOT NULL DEFAULT 0 CHECK (is_entrypoint IN (0, 1)),
    storage_key TEXT,
    created_at TEXT NOT NULL,
    content_text TEXT,
    UNIQUE (tool_version_id, path),
    CONSTRAINT tool_version_files_one_content CHECK (
        (content_text IS NULL) <> (storage_key IS NULL)
    ),
    CONSTRAINT tool_version_files_path_form CHECK (
        path <> ''
        AND path NOT GLOB '/*'
        AND '/' || path || '/' NOT GLOB '*/../*'
        AND instr(path, char(92)) = 0
        AND instr(path, char(0)) = 0
    )
) STRICT;

-- The other tools that the latest version of a tool names: steps, directives.
CREATE TABLE tool_uses (
    used_id TEXT NOT NULL,
    tool_row INTEGER NOT NULL REFERENCES tools (row) ON DELETE CASCADE,
    PRIMARY KEY (used_id, tool_row)
) STRICT, WITHOUT ROWID;

CREATE INDEX tool_uses_by_tool ON tool_uses (tool_row);

-- What was published stays as it was.
CREATE TRIGGER tool_versions_immutable
BEFORE UPDATE OF id, tool_id, version, manifest, manifest_yaml, manifest_file, content_hash,
    effect, changelog, created_at ON tool_versions
BEGIN
    SELECT RAISE(ABORT, 'a version is immutable');
END;

CREATE TRIGGER tool_version_files_immutable
BEFORE UPDATE ON tool_version_files
BEGIN
    SELECT RAISE(ABORT, 'the files of a version are immutable');
END;

-- How many present tools each space has, by executor and by type: a tree never counts.
CREATE TABLE executor_counts (
    executor_id TEXT NOT NULL,
    tool_type TEXT NOT NULL,
    namespace TEXT NOT NULL,
    present INTEGER NOT NULL CHECK (present >= 0),
    PRIMARY KEY (executor_id, tool_type, namespace)
) STRICT, WITHOUT ROWID;

CREATE TABLE type_counts (
    tool_type TEXT NOT NULL,
    namespace TEXT NOT NULL,
    present INTEGER NOT NULL CHECK (present >= 0),
    PRIMARY KEY (tool_type, namespace)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tools_count_inserted AFTER INSERT ON tools WHEN new.absent_since IS NULL
BEGIN
    INSERT INTO type_counts VALUES (new.tool_type, new.namespace, 1)
        ON CONFLICT DO UPDATE SET present = present + 1;
    INSERT INTO executor_counts SELECT new.executor_id, new.tool_type, new.namespace, 1
        WHERE new.executor_id IS NOT NULL
        ON CONFLICT DO UPDATE SET present = present + 1;
END;

CREATE TRIGGER tools_count_deleted AFTER DELETE ON tools WHEN old.absent_since IS NULL
BEGIN
    UPDATE type_counts SET present = present - 1
        WHERE tool_type = old.tool_type AND namespace = old.namespace;
    UPDATE executor_counts SET present = present - 1
        WHERE executor_id = old.executor_id AND tool_type = old.tool_type
        AND namespace = old.namespace;
END;

CREATE TRIGGER tools_count_updated
AFTER UPDATE OF executor_id, tool_type, namespace, absent_since ON tools
BEGIN
    UPDATE type_counts SET present = present - 1
        WHERE old.absent_since IS NULL AND tool_type = old.tool_type
        AND namespace = old.namespace;
    UPDATE executor_counts SET present = present - 1
        WHERE old.absent_since IS NULL
        AND executor_id = old.executor_id AND tool_type = old.tool_type
        AND namespace = old.namespace;
    INSERT INTO type_counts SELECT new.tool_type, new.namespace, 1 WHERE new.absent_since IS NULL
        ON CONFLICT DO UPDATE SET present = present + 1;
    INSERT INTO executor_counts SELECT new.executor_id, new.tool_type, new.namespace, 1
        WHERE new.absent_since IS NULL AND new.executor_id IS NOT NULL
        ON CONFLICT DO UPDATE SET present = present + 1;
END;

CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
