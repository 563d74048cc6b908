// More initialisers than a shared object has parts: one warning for each list, with the object's own type.
//: clause 6.5.2.1 p4
#include <upc.h>

shared int scalar = {1, 2};                            //~ WARNING C0214: leave it out
shared [] int row[2] = {1, 2, 3, 4};                   //~ WARNING C0214
shared [] int rows[2][2] = {{1, 2, 3}, {4, 5}};        //~ WARNING C0214
shared [] int flat[2][2] = {1, 2, 3, 4, 5};            //~ WARNING C0214
shared struct {
    int a, b;
} record = {1, 2, 3}; //~ WARNING C0214
int *shared pointer = {0, 0};                          //~ WARNING C0214
shared [] char names[1][3] = {"ab", "cd"};             //~ WARNING C0214
shared [] int enough[3] = {1, 2, 3};
int private_row[2] = {1, 2};
