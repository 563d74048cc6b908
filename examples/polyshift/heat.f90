! Heat in a plate, as heat.c: one edge is kept at 1, the opposite one at 0, and no heat passes the other two.  Thread 0
! compares the plate with a serial program's; all write it to a file of NumPy's if one is named:
!
!     gfortran -O2 -no-pie $(pkg-config --variable=fortran meridian) heat.f90 $(pkg-config --libs meridian) -o heat
!     meridian run -n 4 heat plate.npy
program heat
    use meridian_arrays
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none
    integer, parameter :: n = 96, steps = 500
    real(8), parameter :: k = 0.2d0
    type(dist_array) :: plate, next
    type(stencil) :: s
    real(8) :: whole(n, n)
    character(200) :: file
    integer :: error

    call create(plate, mer_float64, [n, n], name='plate', halo=[4, 4]) ! wide enough for four steps an exchange
    call create(next, like=plate, name='next')
    call fill(plate, 0d0)
    call create_stencil(s, plate, [ &
        mer_term(1 - 4 * k, [0, 0, 0, 0, 0, 0, 0], 0), &
        mer_term(k, [0, -1, 0, 0, 0, 0, 0], 0), mer_term(k, [0, 1, 0, 0, 0, 0, 0], 0), &
        mer_term(k, [-1, 0, 0, 0, 0, 0, 0], 0), mer_term(k, [1, 0, 0, 0, 0, 0, 0], 0)], &
        face=reshape([mer_face(mer_value, 1d0), mer_face(mer_value, 0d0), &
        mer_face(mer_reflecting, 0d0), mer_face(mer_reflecting, 0d0)], [2, 2]))
    call run_stencil(s, plate, next, steps) ! plate is the newest level again
    call gather(plate, whole, 0)
    if (this_thread() == 0) then
        if (any(whole /= serial())) then
            write (error_unit, '(a)') 'heat: WRONG'
            error stop 1
        end if
        print '(a, i0, a, i0, a, i0, a, f8.6, a)', 'heat: ', steps, ' steps of a plate of ', n, ' x ', n, ', mean ', &
            sum(whole) / size(whole), ', ok'
    end if
    if (command_argument_count() > 0) then
        call get_command_argument(1, file)
        error = save_npy(plate, trim(file))
        if (error /= 0 .and. this_thread() == 0) write (error_unit, '(3a, i0)') trim(file), ': error ', 'number ', error
        if (error /= 0) error stop 1
    end if
    call destroy_stencil(s)
    call destroy(plate)
    call destroy(next)

contains

    ! The terms are added in the order in which the stencil has them, so that the bits are the same.
    function serial() result(u)
        real(8) :: u(n, n), p(0:n + 1, 0:n + 1)
        integer :: step
        u = 0
        do step = 1, steps
            p(1:n, 1:n) = u
            p(1:n, 0) = u(:, 1)
            p(1:n, n + 1) = u(:, n)
            p(0, :) = 1
            p(n + 1, :) = 0
            u = (1 - 4 * k) * u + k * p(1:n, 0:n - 1) + k * p(1:n, 2:n + 1) + k * p(0:n - 1, 1:n) + k * p(2:n + 1, 1:n)
        end do
    end function
end program
