"""Which fields of each syntax node hold code; white space, commas and operators are never walked."""

from __future__ import annotations

import dataclasses

import libcst as cst

_PUNCTUATION = frozenset(
    "lpar rpar leading_lines lines_after_decorators lines_before comma semicolon colon header footer "
    "trailing_whitespace lbracket rbracket lbrace rbrace empty_lines encoding default_indent default_newline "
    "has_trailing_newline first_line last_line indent star keyword asynchronous operator relative dot equal "
    "newline".split()
)
_LEAF_NAMES = (
    "Name Integer Float Imaginary SimpleString Pass Break Continue Ellipsis Comma EmptyLine Newline Comment "
    "Colon Semicolon Dot AssignEqual LeftParen RightParen LeftSquareBracket RightSquareBracket LeftCurlyBrace "
    "RightCurlyBrace ParamSlash ParamStar ParenthesizedWhitespace SimpleWhitespace TrailingWhitespace "
    "FormattedStringText BitOr"
).split()

_OPERATORS = (cst.BaseUnaryOp, cst.BaseBinaryOp, cst.BaseBooleanOp, cst.BaseCompOp, cst.BaseAugOp)


def _node_classes() -> list[type[cst.CSTNode]]:
    found = [c for c in vars(cst).values() if isinstance(c, type) and issubclass(c, cst.CSTNode)]
    return [c for c in found if hasattr(c, "__dataclass_fields__")]


def _fields_of(cls: type[cst.CSTNode]) -> tuple[str, ...]:
    names = []
    for entry in dataclasses.fields(cls):
        plain = str(entry.type) in ("str", "<class 'str'>", "bool", "int")
        if not plain and not entry.name.startswith("whitespace") and entry.name not in _PUNCTUATION:
            names.append(entry.name)
    return tuple(names)


CODE_FIELDS: dict[type, tuple[str, ...]] = {c: _fields_of(c) for c in _node_classes()}
LEAVES: frozenset[type] = frozenset(c for c in CODE_FIELDS if c.__name__ in _LEAF_NAMES or issubclass(c, _OPERATORS))
