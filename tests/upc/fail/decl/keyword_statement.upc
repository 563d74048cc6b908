// Keywords are no identifiers: nor labels, members, functions.
//: clause 6.2 p3
struct s {
    int upc_barrier; //~ ERROR C0100
};
void strict(void);   //~ ERROR C0100
