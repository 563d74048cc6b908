"""Shifts of arrays in Python on hosts where the libraries lie at different addresses."""

import numpy
import meridian as m

whole = numpy.random.default_rng(7).random((24, 10))
u = m.Array((24, 10))
u.scatter(whole)
for shift in (1, 2, 1, 5, 1, 3):  # one way only: who receives tells the sender that the buffer is free
    u = m.cshift(u, shift, 0)
    whole = numpy.roll(whole, -shift, 0)
result = u.gather(0)
assert result is None or (result == whole).all()
if m.thread() == 0:
    print(m.threads(), "threads")
