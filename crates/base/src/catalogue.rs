//! All kinds of diagnostic: the code, the `-W` name of a warning, and the clause that it enforces.

macro_rules! catalogue {
    ($($name:ident $code:literal $flag:literal $clause:literal;)*) => {
        /// A row of the catalogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Code { $($name),* }

        impl Code {
            /// Returns the code as printed, e.g. `U0601`.
            pub fn code(self) -> &'static str { match self { $(Code::$name => $code),* } }
            /// Returns the name by which `-Wno-…` turns it off; empty for errors.
            pub fn flag(self) -> &'static str { match self { $(Code::$name => $flag),* } }
            /// Returns the clause of the standard; empty if there is none.
            pub fn clause(self) -> &'static str { match self { $(Code::$name => $clause),* } }
            /// All rows, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];
        }
    };
}

catalogue! {
    // text and tokens
    BadByte              "C0001" "" "C17 6.4";
    Unterminated         "C0002" "" "C17 6.4";
    BadNumber            "C0003" "" "C17 6.4.4";
    // grammar
    Expected             "C0100" "" "C17 6";
    TooDeep              "C0101" "" "";
    BadSpecifiers        "C0102" "" "C17 6.7";
    UnknownType          "C0103" "" "C17 6.7.2";
    // names and types
    Undeclared           "C0200" "" "C17 6.5.1";
    Redeclared           "C0201" "" "C17 6.7";
    NoMember             "C0202" "" "C17 6.5.2.3";
    NotCallable          "C0203" "" "C17 6.5.2.2";
    ArgumentCount        "C0204" "" "C17 6.5.2.2";
    BadOperands          "C0205" "" "C17 6.5";
    NotAssignable        "C0206" "" "C17 6.5.16";
    Incompatible         "C0207" "" "C17 6.5.16.1";
    Incomplete           "C0208" "" "C17 6.2.5";
    NotConstant          "C0209" "" "C17 6.6";
    BadInitializer       "C0210" "" "C17 6.7.9";
    BadType              "C0211" "" "C17 6.7";
    BadStatement         "C0212" "" "C17 6.8";
    ImplicitFunction     "C0213" "implicit-function-declaration" "C17 6.5.2.2";
    ExcessInitializers   "C0214" "excess-initializers" "C17 6.7.9";
    ImplicitInt          "C0215" "implicit-int" "C17 6.7.2";
    // UPC
    SharedAutomatic      "U0600" "" "UPC 6.5.2";
    SharedMember         "U0601" "" "UPC 6.5.1.1";
    StrictRelaxed        "U0602" "" "UPC 6.5";
    ReferenceQualifier   "U0603" "" "UPC 6.5.1.1";
    TwoBlockSizes        "U0604" "duplicate-decl-specifier" "UPC 6.5";
    BlockSize            "U0605" "" "UPC 6.3.3";
    LayoutStar           "U0606" "" "UPC 6.5.1.1";
    LayoutVoid           "U0607" "" "UPC 6.5.1.1";
    ThreadsPlacement     "U0609" "" "UPC 6.5.2.1";
    SharedAndLocal       "U0610" "" "UPC 6.4.2";
    SharedRelational     "U0611" "" "UPC 6.4.2";
    CastToShared         "U0612" "" "UPC 6.4.3";
    SharedParameter      "U0613" "" "UPC 6.5.2";
    SharedReturn         "U0614" "" "UPC 6.5.2";
    NotShared            "U0615" "" "UPC 6.4.1";
    Affinity             "U0616" "" "UPC 6.6.2";
    BarrierValue         "U0617" "upc-barrier" "UPC 6.6.1";
    SharedPointerTypes   "U0618" "incompatible-pointer-types" "UPC 6.4.3";
    PragmaPlacement      "U0619" "upc-pragma" "UPC 6.7.1";
    LeavesForall         "U0620" "upc-forall" "UPC 6.6.2";
    CollectiveInForall   "U0621" "upc-forall" "UPC 6.6.2";
    NotAnLvalue          "U0622" "" "UPC 6.3";
    ForallClauses        "U0625" "" "UPC 6.6.2";
    SharedOperands       "U0626" "" "UPC 6.4.2";
    SharedComparison     "U0627" "compare-distinct-pointer-types" "UPC 6.4.2";
    DroppedQualifiers    "U0632" "discarded-qualifiers" "C17 6.5.16.1";
    AssignedCondition    "U0628" "parentheses" "";
    NoEffect             "U0629" "unused-value" "";
    OutsideArray         "U0630" "array-bounds" "";
    PrintedPointer       "U0631" "format" "";
    Uninitialised        "U0633" "uninitialized" "";
    EmptyBody            "U0634" "empty-body" "";
    MisleadingIndentation "U0635" "misleading-indentation" "";
    Divergence           "U0636" "upc-divergence" "UPC 6.6.1";
    LockUse              "U0637" "upc-lock" "UPC 7.2.4";
    DataRace             "U0638" "upc-race" "UPC 5.1.2.3";
    // Split-C and AC
    SplitSides           "S0701" "" "Split-C access";
    SpreadDimension      "S0702" "" "Split-C types";
    GlobalQualifier      "S0703" "" "Split-C types";
    StaticGlobal         "S0704" "" "AC pointers";
    SplitPhase           "S0706" "split-phase" "Split-C access";
    OpenString           "S0707" "string-over-lines" "";
    GlobalPointers       "S0705" "incompatible-pointer-types" "Split-C types";
    // results of optimisations
    Communication        "R0901" "" "";
    // Id90
    IdBadToken           "I0801" "" "";
    IdExpected           "I0802" "" "";
    IdPattern            "I0803" "" "";
    IdClauses            "I0804" "" "";
    IdPragma             "I0805" "id-pragma" "";
    IdUndefined          "I0806" "" "";
    IdRedefined          "I0807" "" "";
    IdType               "I0808" "" "";
    IdTypeName           "I0809" "" "";
    IdLoop               "I0810" "" "";
    IdOverlap            "I0811" "id-overlap" "";
    IdMain               "I0812" "id-nothing-computed" "";
    IdBarrier            "I0813" "" "";
    IdSubst              "I0814" "" "";
    IdEquality           "I0815" "" "";
    IdInclude            "I0816" "" "";
    IdNeverEnds          "I0817" "id-waits-for-itself" "";
    IdLost               "I0818" "id-lost-value" "";
    IdExternal           "I0819" "" "";
    IdMissing            "I0820" "id-missing-constructor" "";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_that_of_one_row() {
        let mut codes: Vec<&str> = Code::ALL.iter().map(|row| row.code()).collect();
        codes.sort_unstable();
        assert!(codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
    }
}
