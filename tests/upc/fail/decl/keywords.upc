// Keywords are no identifiers.
//: clause 6.2 p3
int shared = 1;          //~ ERROR C0100
