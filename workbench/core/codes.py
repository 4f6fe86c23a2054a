"""The list of problem codes: what each means and how grave it is. `docs/problems.md` says more.

A code is a promise: it keeps its meaning, and its severity is the same wherever it is found.
"""

from __future__ import annotations

from workbench.core.problems import Fix, Path, Problem, Severity, path_text

_E, _W, _H = Severity.ERROR, Severity.WARNING, Severity.HINT

CODES: dict[str, tuple[Severity, str]] = {
    # Reading
    "too_large": (_E, "A manifest is larger than 1 MiB."),
    "not_utf8": (_E, "The file is not UTF-8 text."),
    "lone_surrogate": (_E, "Half a surrogate pair stands where text is wanted."),
    "control_character": (_E, "A control character that YAML does not allow."),
    "yaml_syntax": (_E, "The text is not YAML."),
    "too_deep": (_E, "Collections are nested deeper than 64 levels."),
    "too_many_aliases": (_E, "The document has more than 100 aliases."),
    "too_many_values": (_E, "The document holds more values than a manifest may."),
    "recursive_alias": (_E, "An alias contains itself."),
    "unknown_alias": (_E, "An alias names an anchor that is not there."),
    "tag_refused": (_E, "A YAML tag other than the plain ones."),
    "complex_key": (_E, "A key is not plain text."),
    "duplicate_key": (_E, "A key stands twice in one mapping."),
    "several_documents": (_E, "More than one YAML document in a manifest."),
    "not_a_mapping": (_E, "A manifest must be a mapping of keys to values."),
    "integer_range": (_E, "An integer does not fit in 64 bits."),
    "not_finite": (_E, "NaN or infinity."),
    "ambiguous_number": (_E, "A number that YAML readers understand differently."),
    "ambiguous_boolean": (_H, "A word that is a boolean to some YAML readers only."),
    "unquoted_date": (_E, "A date without quotes where text is wanted."),
    # Shape
    "missing_field": (_E, "A required key is missing."),
    "unknown_key": (_E, "A key that means nothing here."),
    "wrong_type": (_E, "A value of another kind than the key takes."),
    "not_one_of": (_E, "A value outside the fixed choices."),
    "out_of_range": (_E, "A number or length outside its bounds."),
    # Identity
    "bad_tool_id": (_E, "A tool_id is not in the form that ids have."),
    "bad_version": (_E, "A version is not semantic."),
    "unquoted_version": (_E, "A version without quotes, which YAML reads as a number."),
    # Executors
    "executor_missing": (_E, "The type needs an executor and none is given."),
    "executor_forbidden": (_E, "The type has no executor and one is given."),
    "executor_not_found": (_E, "A tool of the chain does not exist."),
    "executor_type": (_E, "The executor is of a type that cannot carry this tool."),
    "circular_chain": (_E, "A chain of executors comes back to where it was."),
    "chain_too_long": (_E, "A chain of executors has more than 16 links."),
    # Parameters
    "duplicate_parameter": (_E, "Two parameters have one name."),
    "bad_parameter_name": (_E, "A parameter's name is not usable."),
    "parameter_type": (_E, "A parameter's type is not a JSON type."),
    "bad_default": (_E, "A default does not fit its own parameter."),
    "bad_bounds": (_E, "A lower bound is above its upper bound."),
    "bad_enum": (_E, "A list of choices is empty or repeats a choice."),
    "bad_pattern": (_E, "A pattern is not a regular expression."),
    "pattern_unchecked": (_W, "A pattern that cannot be run safely and is not checked."),
    "schema_invalid": (_E, "A JSON Schema is not well-formed."),
    "schema_remote_ref": (_E, "A JSON Schema refers to something outside itself."),
    "schema_loop": (_E, "A JSON Schema reference leads back to itself."),
    "bad_preset_name": (_E, "A preset's name is not usable."),
    "preset_secret": (_E, "A preset holds a value for a secret."),
    # Templates
    "unknown_variable": (_E, "A template uses a variable that no parameter has."),
    "unused_parameter": (_W, "A parameter that no template uses."),
    "bad_template": (_E, "A template is not well-formed."),
    # Files
    "files_missing": (_E, "The type needs files and there are none."),
    "files_forbidden": (_E, "The type has no files and some are there."),
    "entrypoint_not_found": (_E, "The entrypoint is not among the tool's files."),
    "bad_path": (_E, "A path is absolute, leads out of the tool or is not plain."),
    "path_collision": (_E, "Two paths differ only by case or Unicode form."),
    "special_file": (_E, "A symlink, device, socket or pipe among the files."),
    "file_too_large": (_E, "A file or the sum of the files is larger than a tool may carry."),
    "too_many_files": (_E, "A tool has more files than it may carry."),
    "unreadable_file": (_E, "A file or folder cannot be read."),
    "python_syntax": (_E, "A Python file does not parse."),
    "bash_syntax": (_E, "A Bash file does not parse."),
    "javascript_syntax": (_E, "A JavaScript file does not parse."),
    "json_syntax": (_E, "A JSON file does not parse."),
    "file_yaml_syntax": (_E, "A YAML file of the tool does not parse."),
    "bad_requirement": (_E, "A package requirement is not in the usual form."),
    # Types
    "runtime_command": (_E, "A runtime says in no way, or in several, how it runs things."),
    "runtime_primitive": (_E, "A runtime's way of running does not fit its primitive."),
    "transport_mismatch": (_E, "A transport and the executor do not fit."),
    "transport_field": (_E, "A transport lacks a key it needs."),
    "field_unused": (_W, "A key that this transport or method does not use."),
    "bad_url": (_E, "Not a usable URL."),
    "bad_method": (_E, "Not an HTTP method."),
    "bad_header": (_E, "Not a usable header name or value."),
    "body_not_sent": (_W, "A body on a method that usually has none."),
    "bad_jsonpath": (_E, "A JSONPath expression does not parse."),
    "auth_incomplete": (_E, "Authentication lacks what its kind needs."),
    "directive_xml": (_E, "The XML of a directive is not well-formed."),
    "directive_entities": (_E, "The XML of a directive declares entities or a document type."),
    "directive_mismatch": (_W, "The XML and the manifest say different things."),
    "directive_not_found": (_E, "A thread names a directive that does not exist."),
    "frontmatter": (_E, "The frontmatter of a markdown file is not usable."),
    "empty_content": (_W, "A markdown file has no text."),
    "duplicate_step": (_E, "Two steps have one id."),
    "unknown_step": (_E, "A step refers to a step that is not there."),
    "step_cycle": (_E, "Steps wait for each other in a circle."),
    "step_tool_not_found": (_E, "A step names a tool that does not exist."),
    "bad_reference": (_E, "Not a reference to a tool, or not to a step's result."),
    # Dialects
    "no_manifest": (_E, "Nothing here says what tool this is."),
    "dialect_unsupported": (_E, "An older form with something that has no equal today."),
    "dialect_assumed": (_H, "A legacy script; what it does not say was assumed."),
    "metadata_not_literal": (_E, "Metadata of a Python tool is computed instead of written."),
    # File trees
    "duplicate_tool": (_E, "Two files of a tree have one id; the one that was first counts."),
    "library_not_found": (_E, "A name in lib_imports is not in tools/lib."),
    "reserved_id": (_E, "The id of a shipped primitive or runtime, which nobody else can take."),
    "version_taken": (_W, "A file has other content than its version has in the history."),
    # Values, at run or in a preset
    "value_missing": (_E, "A required parameter has no value."),
    "value_unknown": (_E, "A value for a parameter that is not there."),
    "value_invalid": (_E, "A value does not fit its parameter."),
    "output_mismatch": (_W, "A result does not fit what the tool says it returns."),
}


def problem_at(
    code: str,
    message: str,
    *,
    path: Path = (),
    line: int | None = None,
    column: int | None = None,
    hint: str = "",
    fix: Fix | None = None,
    file: str = "",
) -> Problem:
    """A problem of a listed code."""
    severity, _ = CODES[code]
    return Problem(severity, code, message, path_text(path), line, column, hint, fix, file)
