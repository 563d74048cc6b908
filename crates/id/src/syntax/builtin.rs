//! The built-in types of the language.

/// Names of built-in types: the name, the type that it means, with its kind if that is fixed, and the number
/// of its arguments.
pub const TYPES: &[(&str, &str, usize)] = &[
    ("int", "int", 0),
    ("float", "float", 0),
    ("char", "char", 0),
    ("string", "string", 0),
    ("void", "void", 0),
    ("i", "int", 0),
    ("f", "float", 0),
    ("n", "float", 0),
    ("b", "bool", 0),
    ("c", "char", 0),
    ("s", "string", 0),
    ("array", "1d_array", 1),
    ("vector", "1d_array", 1),
    ("1d_array", "1d_array", 1),
    ("matrix", "2d_array", 1),
    ("2d_array", "2d_array", 1),
    ("3d_array", "3d_array", 1),
    ("i_array", "1d_array I", 1),
    ("1d_i_array", "1d_array I", 1),
    ("2d_i_array", "2d_array I", 1),
    ("3d_i_array", "3d_array I", 1),
    ("m_array", "1d_array M", 1),
    ("1d_m_array", "1d_array M", 1),
    ("2d_m_array", "2d_array M", 1),
    ("3d_m_array", "3d_array M", 1),
];

/// Whether the language has a type of this name.
pub fn is_type(name: &str) -> bool {
    TYPES.iter().any(|row| row.0 == name)
}
