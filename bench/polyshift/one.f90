! One process: CSHIFT and EOSHIFT of a square of doubles by gfortran's intrinsics, and by this library's, in turns.
! A line for each length: "length intrinsic-ns library-ns ratio" (medians), first for cshift, then for eoshift.
program one
    use meridian_arrays
    use, intrinsic :: iso_fortran_env, only: int64
    implicit none
    integer, parameter :: lengths(5) = [4, 16, 64, 256, 1024], rounds = 15
    real(8), allocatable :: a(:, :), b(:, :)
    real(8), pointer :: p(:, :)
    real(8) :: t(rounds), s(rounds), r(rounds)
    type(dist_array) :: u, v
    integer :: i, n, round, kind
    integer(int64) :: turns, turn, from, to, rate
    call system_clock(count_rate=rate)
    do kind = 1, 2
        do i = 1, size(lengths)
            n = lengths(i)
            turns = max(3_int64, 3000000_int64 / (int(n, int64) ** 2 / 2 + 20))
            allocate (a(n, n), b(n, n))
            a = 1
            b = 0
            call create(u, mer_float64, [n, n])
            call create(v, like=u)
            call c_f_pointer(local(u), p, local_shape(u))
            p = 1
            do round = 1, rounds
                call system_clock(from)
                do turn = 1, turns
                    if (kind == 1) b = cshift(a, 1, 1 + mod(int(turn), 2))
                    if (kind == 2) b = eoshift(a, 1, 0d0, 1 + mod(int(turn), 2))
                    a(1, 1) = b(n, n)
                end do
                call system_clock(to)
                t(round) = real(to - from, 8) * 1d9 / rate / turns
                call system_clock(from)
                do turn = 1, turns
                    if (kind == 1) v = cshift(u, 1, 1 + mod(int(turn), 2))
                    if (kind == 2) v = eoshift(u, 1, 0d0, 1 + mod(int(turn), 2))
                end do
                call system_clock(to)
                s(round) = real(to - from, 8) * 1d9 / rate / turns
                r(round) = t(round) / s(round)
            end do
            print '(a,i6,2f12.1,f8.2)', merge('cshift  ', 'eoshift ', kind == 1), n, median(t), median(s), median(r)
            call destroy(u)
            call destroy(v)
            deallocate (a, b)
        end do
    end do
contains
    function median(x) result(m)
        real(8), intent(in) :: x(:)
        real(8) :: m, y(size(x)), z
        integer :: j, k
        y = x
        do j = 2, size(y)
            do k = j, 2, -1
                if (y(k) >= y(k - 1)) exit
                z = y(k)
                y(k) = y(k - 1)
                y(k - 1) = z
            end do
        end do
        m = y(size(y) / 2 + 1)
    end function
end program
