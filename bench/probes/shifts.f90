! One process: CSHIFT and EOSHIFT of a square of doubles by gfortran's intrinsics, and by this library's, in turns.
! It measures itself as the probes do (measure.h), by rounds over all points.
program shifts
    use meridian_arrays
    use, intrinsic :: iso_fortran_env, only: int64
    implicit none
    integer, parameter :: lengths(5) = [4, 16, 64, 256, 1024], longer = 10
    character(len=*), parameter :: names(2) = [character(len=7) :: 'cshift', 'eoshift']
    character(len=*), parameter :: systems(2) = [character(len=9) :: 'gfortran', 'polyshift']
    real(8), allocatable :: a(:, :), b(:, :)
    real(8), pointer :: p(:, :)
    type(dist_array) :: u, v
    integer :: i, n, round, rounds, kind, system
    integer(int64) :: turns, wanted
    real(8) :: ns
    character(len=32) :: text
    call get_command_argument(2, text)
    read (text, *) rounds
    call get_command_argument(3, text)
    read (text, *) wanted
    do i = 1, size(lengths)
        n = lengths(i)
        allocate (a(n, n), b(n, n))
        a = 1
        b = 0
        call create(u, mer_float64, [n, n])
        call create(v, like=u)
        call c_f_pointer(local(u), p, local_shape(u))
        p = 1
        do kind = 1, 2
            turns = 1
            system = 2 ! so that its array has been touched, too
            ns = took()
            system = 1
            do while (took() < longer * wanted)
                turns = 2 * turns
            end do
            do round = 0, rounds - 1
                do system = 1, 2
                    call sample
                end do
            end do
        end do
        call destroy(u)
        call destroy(v)
        deallocate (a, b)
    end do
contains
    ! Nanoseconds of the turns.
    function took() result(ns)
        real(8) :: ns
        integer(int64) :: turn, begin, end, rate
        call system_clock(begin, rate)
        if (system == 1) then
            do turn = 1, turns
                if (kind == 1) b = cshift(a, 1, 1 + mod(int(turn), 2))
                if (kind == 2) b = eoshift(a, 1, 0d0, 1 + mod(int(turn), 2))
                a(1, 1) = b(n, n)
            end do
        else
            do turn = 1, turns
                if (kind == 1) v = cshift(u, 1, 1 + mod(int(turn), 2))
                if (kind == 2) v = eoshift(u, 1, 0d0, 1 + mod(int(turn), 2))
            end do
        end if
        call system_clock(end)
        ns = real(end - begin, 8) / real(rate, 8) * 1d9
    end function

    subroutine sample
        print '(5a,2(a,i0),a,es16.8,a)', '{"part":"shifts","series":"', trim(names(kind)), '","what":"', &
            trim(systems(system)), '"', ',"length":', n, ',"processes":1,"round":', round, ',"ns":', &
            took() / real(turns, 8), '}'
    end subroutine
end program
