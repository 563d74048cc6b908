! Functions for one element, from which `meridian stencil' makes kernels; kernels.f90 calls them serially too.
module rules
    use, intrinsic :: iso_fortran_env, only: wp => real64, cell => int8
    implicit none
    private
    public :: heat, wave, ordinal, life, bounded, renamed, kept, fresh, tally
    real(wp), parameter, public :: rate = 0.125_wp
    type :: tally
        integer :: count = 5
    end type
contains

    !$meridian stencil
    pure function heat(u) result(v)
        real(wp), intent(in) :: u(-1:1, -1:1)
        real(wp) :: v, around ! u(9, 9) is none of its elements
        around = u(-1, 0) + u(1, 0) + &
            & U(0, -1) + u( 0, +1 )
        v = u(0, 0) + rate * (around - 4 * u(0, 0))
        if (v > 0.75_wp) then
            v = 0.75_wp
        end if
    end function

    !$meridian stencil
    pure real(4) function wave(u, before)
        real(4), intent(in) :: u(-2:1, 0:0, -1:0), before
        wave = 0.5 * u(-2, 0, 0) + 0.25 * u(1, 0, -1) - 0.5 * before
    end function wave

    !$meridian stencil
    pure integer function ordinal(u)
        use, intrinsic :: iso_c_binding, only: c_int
        integer(c_int), intent(in) :: u(-3:3)
        integer :: k
        ordinal = 0
        do k = -3, 3
            ordinal = ordinal + u(k) * (k + 4)
        end do
        ordinal = mod(ordinal, 1000)
    end function

    ! IEEE's quads: 16 and 32 bytes.
    !$meridian stencil
    pure function turn(u) result(v)
        complex(16), intent(in) :: u(-1:1)
        complex(16) :: v
        v = (u(-1) - u(1)) * (0.6_16, 0.8_16)
    end function

    ! Bounds of the whole neighbourhood: asked for, taken by a name, and by an allocatable array.
    !$meridian stencil
    pure integer function bounded(u)
        integer, intent(in) :: u(-3:3)
        integer :: k
        bounded = 0
        do k = LBound(u, 1), UBound( u , dim=1)
            bounded = bounded + (k + 4) * u(k)
        end do
        bounded = mod(bounded + sum(u), 1000)
    end function

    !$meridian stencil
    pure integer function renamed(u)
        integer, intent(in) :: u(-3:3)
        associate (w => u, next => u(1))
            renamed = mod(3 * w(-2) + w(3) + next, 1000)
        end associate
    end function

    !$meridian stencil
    pure integer function kept(u)
        integer, intent(in) :: u(-3:3)
        integer, allocatable :: w(:), list(:)
        allocate (list, source=u)
        if (u(0) >= 0) w = u
        kept = mod(2 * w(-1) + 5 * w(1) + list(-2), 1000)
    end function

    ! Components begin with their first values for each element; declarations ask for u's kind and bounds.
    !$meridian stencil
    pure integer function fresh(u)
        integer, parameter :: plain = kind(0)
        integer(plain), intent(in) :: u(-3:3)
        type(tally) :: t
        integer(kind(u)) :: w(lbound(u, 1):ubound(u, 1))
        w(-2) = u(-1)
        t%count = t%count + w(-2) * size(w)
        fresh = mod(2 * t%count, 1000)
    end function

    ! All neighbours at once, and a column of them.
    !$meridian stencil
    pure integer(cell) function life(u)
        integer(kind=cell), intent(in) :: u(-1:1, -1:1)
        integer :: around
        around = sum(int(u)) - u(0, 0)
        life = merge(1_cell, 0_cell, around == 3 .or. around == 2 .and. u(0, 0) == 1)
        if (all(u(:, -1) == 1) .and. all(u(-1:1:2, 1) == 1)) life = 1_cell
    end function
end module

! A module whose wp differs from that of the module before.
module more_rules
    implicit none
    integer, parameter :: wp = kind(0)
    type :: pair
        integer :: u = 0, w = 0
    end type
contains
    ! A keyword may have the argument's name.
    !$meridian stencil
    pure integer function paired(u)
        integer(wp), intent(in) :: u(-3:3)
        type(pair) :: p
        p = pair(u=u(-1), w=u(2))
        paired = mod(modulo(a=p%u, p=3) + p%w, 1000)
    end function
end module
