! Kernels that `meridian stencil' has made of rules.f90, against the same functions called for each element: with
! faces, several steps an exchange, and arrays of both memory orders.
program array_kernels
    use meridian_arrays
    use rules
    use more_rules, only: paired
    use rules_stencils
    use, intrinsic :: iso_c_binding
    implicit none
    call in_two_axes()
    call in_three_axes()
    call in_one_axis('ordinal', ordinal_kernel(), ordinal)
    call in_one_axis('bounded', bounded_kernel(), bounded)
    call in_one_axis('renamed', renamed_kernel(), renamed)
    call in_one_axis('kept', kept_kernel(), kept)
    call in_one_axis('fresh', fresh_kernel(), fresh)
    call in_one_axis('paired', paired_kernel(), paired)
    call of_cells()
    call of_quads()
contains

    ! Periodic along the first axis, 0.5 and mirrored along the second.
    subroutine in_two_axes()
        integer, parameter :: n = 23, m = 31
        type(dist_array) :: u, v
        type(stencil) :: s
        real(8), target :: whole(n, m), back(n, m)
        real(8) :: wide(0:n + 1, 0:m + 1)
        integer :: i, j, k
        do j = 1, m
            do i = 1, n
                whole(i, j) = modulo(i * 7 + j * 13, 11) / 11d0
            end do
        end do
        call create(u, mer_float64, [n, m], name='u', halo=[3, 3])
        call create(v, like=u)
        call scatter(u, c_loc(whole), 0)
        call create_stencil(s, u, kernel=heat_kernel(), steps=3, face=reshape([mer_face(), mer_face(), &
            mer_face(mer_value, 0.5d0), mer_face(mer_reflecting, 0d0)], [2, 2]))
        call run_stencil(s, u, v, 7)
        do k = 1, 7
            wide = 0.5d0
            wide(1:n, 1:m) = whole
            wide(1:n, m + 1) = whole(:, m)
            wide(0, :) = wide(n, :)
            wide(n + 1, :) = wide(1, :)
            do j = 1, m
                do i = 1, n
                    whole(i, j) = heat(wide(i - 1:i + 1, j - 1:j + 1))
                end do
            end do
        end do
        call gather(u, c_loc(back), 0)
        if (this_thread() == 0) then
            if (maxval(abs(back - whole)) > 1d-14) error stop 'heat'
        end if
        call destroy_stencil(s)
    end subroutine

    subroutine in_three_axes()
        integer, parameter :: n = 12, m = 5, l = 9
        type(dist_array) :: u, v
        type(stencil) :: s
        real(4), target :: new(n, m, l), old(n, m, l), made(n, m, l)
        real(4) :: wide(-1:n + 1, m, 0:l)
        integer :: i, j, k, step
        do k = 1, l
            do j = 1, m
                do i = 1, n
                    new(i, j, k) = modulo(i * 3 + j * 5 + k * 7, 17)
                    old(i, j, k) = modulo(i * 2 + j + k * 11, 13)
                end do
            end do
        end do
        call create(u, mer_float32, [n, m, l], name='u', halo=[4, 0, 2])
        call create(v, like=u)
        call scatter(u, c_loc(new), 0)
        call scatter(v, c_loc(old), 0)
        call create_stencil(s, u, kernel=wave_kernel(), steps=2)
        call run_stencil(s, u, v, 5)
        do step = 1, 5
            wide(1:n, :, 1:l) = new
            wide(:0, :, 1:l) = new(n - 1:, :, :)
            wide(n + 1, :, 1:l) = new(1, :, :)
            wide(:, :, 0) = wide(:, :, l)
            do k = 1, l
                do j = 1, m
                    do i = 1, n
                        made(i, j, k) = wave(wide(i - 2:i + 1, j:j, k - 1:k), old(i, j, k))
                    end do
                end do
            end do
            old = new
            new = made
        end do
        call gather(u, c_loc(made), 0)
        if (this_thread() == 0) then
            if (maxval(abs(made - new)) > 1e-5 * maxval(abs(new))) error stop 'wave'
        end if
        call destroy_stencil(s)
    end subroutine

    subroutine in_one_axis(name, kernel, function)
        integer, parameter :: n = 40
        character(*), intent(in) :: name
        type(c_ptr), intent(in) :: kernel
        procedure(ordinal) :: function
        type(dist_array) :: u, v
        type(stencil) :: s
        integer, target :: whole(n), back(n)
        integer :: wide(-2:n + 3), i, k
        whole = [(modulo(i * i, 19), i=1, n)]
        call create(u, mer_int32, [n], name='u', halo=[3])
        call create(v, like=u)
        call scatter(u, c_loc(whole), 0)
        call create_stencil(s, u, kernel=kernel)
        call run_stencil(s, u, v, 4)
        do k = 1, 4
            wide(1:n) = whole
            wide(:0) = whole(n - 2:)
            wide(n + 1:) = whole(:3)
            do i = 1, n
                whole(i) = function(wide(i - 3:i + 3))
            end do
        end do
        call gather(u, c_loc(back), 0)
        if (this_thread() == 0 .and. any(back /= whole)) then
            print *, name
            error stop 'in one axis'
        end if
        call destroy_stencil(s)
    end subroutine

    subroutine of_quads()
        integer, parameter :: n = 23
        type(dist_array) :: u, v
        type(stencil) :: s
        complex(16), target :: whole(n), back(n)
        integer :: i
        whole = [(cmplx(modulo(i * i, 19), i, 16) / 7, i=1, n)]
        call create(u, mer_complex256, [n], name='u', halo=[2])
        call create(v, like=u)
        call scatter(u, c_loc(whole), 0)
        call create_stencil(s, u, kernel=turn_kernel())
        call run_stencil(s, u, v, 5)
        do i = 1, 5
            whole = (cshift(whole, -1) - cshift(whole, 1)) * (0.6_16, 0.8_16)
        end do
        call gather(u, c_loc(back), 0)
        if (this_thread() == 0) then
            if (any(abs(back - whole) > 1e-28_16)) error stop 'turn'
        end if
        call destroy_stencil(s)
    end subroutine

    ! A torus.
    subroutine of_cells()
        integer, parameter :: n = 21, m = 17
        type(dist_array) :: u, v
        type(stencil) :: s
        integer(1) :: whole(n, m), back(n, m), wide(0:n + 1, 0:m + 1)
        integer :: i, j, k
        do j = 1, m
            do i = 1, n
                whole(i, j) = merge(1_1, 0_1, modulo(i * i + 3 * j * i + 5 * j, 7) < 3)
            end do
        end do
        call create(u, mer_int8, [n, m], halo=[2, 2])
        call create(v, like=u)
        call scatter(u, whole, 0)
        call create_stencil(s, u, kernel=life_kernel())
        call run_stencil(s, u, v, 5)
        do k = 1, 5
            wide(1:n, 1:m) = whole
            wide(0, 1:m) = whole(n, :)
            wide(n + 1, 1:m) = whole(1, :)
            wide(:, 0) = wide(:, m)
            wide(:, m + 1) = wide(:, 1)
            do j = 1, m
                do i = 1, n
                    whole(i, j) = life(wide(i - 1:i + 1, j - 1:j + 1))
                end do
            end do
        end do
        call gather(u, back, 0)
        if (this_thread() == 0) then
            if (any(back /= whole) .or. all(whole == 0)) error stop 'life'
        end if
        call destroy_stencil(s)
    end subroutine
end program
