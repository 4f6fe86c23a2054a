-- Full-text search over what is present and listed. rowid = tools.row in both tables; the
-- store adds rows, the triggers take them away.

CREATE VIRTUAL TABLE search_text USING fts5 (
    kind, name, name_words, server, description, tags,
    parameter_names, parameter_descriptions, content, learned,
    content='', contentless_delete=1, tokenize='porter unicode61', prefix='2 3'
);

-- Parts of ids, for what a person types from memory.
CREATE VIRTUAL TABLE search_ids USING fts5 (
    tool_id, content='', contentless_delete=1, tokenize='trigram'
);

CREATE TRIGGER tools_search_absent AFTER UPDATE OF absent_since ON tools
WHEN new.absent_since IS NOT NULL AND old.absent_since IS NULL
BEGIN
    DELETE FROM search_text WHERE rowid = old.row;
    DELETE FROM search_ids WHERE rowid = old.row;
END;

CREATE TRIGGER tools_search_deleted AFTER DELETE ON tools
BEGIN
    DELETE FROM search_text WHERE rowid = old.row;
    DELETE FROM search_ids WHERE rowid = old.row;
END;
