! Two fields whose new values depend on each other: the program computes them, on parts whose halos fetch_halo brings.
! Every process has the whole fields beside its parts, and computes them by the intrinsics.
program array_fields
    use meridian_arrays
    use, intrinsic :: iso_c_binding, only: c_associated
    implicit none
    integer, parameter :: n = 14, m = 11, steps = 30, h(2) = [2, 1]
    type(dist_array) :: u(2), v(2), short
    type(stencil) :: s
    real(8), pointer :: a(:, :), b(:, :), c(:, :), d(:, :)
    real(8) :: whole(n, m), other(n, m), made(n, m), next(n, m)
    integer :: i, j, step, now, k(2), first(2)

    call create(u(1), mer_float64, [n, m], name='u', halo=h)
    call create(short, mer_int8, [2, 1])             ! of which some processes have padding alone
    if (c_associated(local(short)) .neqv. all(local_count(short) > 0)) error stop 2
    call create(u(2), like=u(1))
    call create(v(1), like=u(1))
    call create(v(2), like=u(1))
    do j = 1, m
        do i = 1, n
            whole(i, j) = 1 + mod(i * j, 5) / 8d0
            other(i, j) = mod(i + 2 * j, 7) / 16d0
        end do
    end do
    call scatter(u(1), whole, 0)
    call scatter(v(1), other, 0)
    ! Only the reach and the faces of the stencil are used: two elements along dim 1, periodic, and values along dim 2.
    call create_stencil(s, u(1), [mer_term(1d0, [-2, 0, 0, 0, 0, 0, 0], 0), mer_term(1d0, [0, 1, 0, 0, 0, 0, 0], 0)], &
        face=reshape([mer_face(), mer_face(), mer_face(mer_value, 1d0), mer_face(mer_value, 2d0)], [2, 2]))
    k = local_count(u(1))
    do step = 1, steps
        now = 2 - mod(step, 2)
        if (mod(step, 3) == 0) then
            call fetch_halo_start(s, u(now))
            call fetch_halo_finish(s)
        else
            call fetch_halo(s, u(now))
        end if
        call fetch_halo(s, v(now))
        if (any(k == 0)) cycle
        call part(u(now), a)
        call part(v(now), b)
        call part(u(3 - now), c)
        call part(v(3 - now), d)
        do j = 1, k(2)
            do i = 1, k(1)
                c(i, j) = 0.5d0 * a(i, j) + 0.25d0 * (a(i - 2, j) + a(i, j + 1)) * b(i, j)
                d(i, j) = 0.5d0 * b(i, j) + 0.125d0 * (b(i + 2, j) + b(i, j - 1)) / a(i, j)
            end do
        end do
    end do
    do step = 1, steps
        made = 0.5d0 * whole + 0.25d0 * (cshift(whole, -2, 1) + eoshift(whole, 1, 2d0, 2)) * other
        next = 0.5d0 * other + 0.125d0 * (cshift(other, 2, 1) + eoshift(other, -1, 1d0, 2)) / whole
        whole = made
        other = next
    end do
    now = 1 + mod(steps, 2)
    first = local_first(u(now)) - 1
    if (all(k > 0)) then
        call part(u(now), a)
        call part(v(now), b)
        if (any(abs(a(1:k(1), 1:k(2)) - whole(first(1) + 1:first(1) + k(1), first(2) + 1:first(2) + k(2))) > 1d-12) .or. &
            any(abs(b(1:k(1), 1:k(2)) - other(first(1) + 1:first(1) + k(1), first(2) + 1:first(2) + k(2))) > 1d-12)) &
            error stop 'the fields differ from the serial ones'
    end if
    call destroy_stencil(s)

contains

    ! The part of this process: p(1, 1) is its first element, and the halo lies around.
    subroutine part(array, p)
        type(dist_array), intent(in) :: array
        real(8), pointer, intent(out) :: p(:, :)
        real(8), pointer :: memory(:, :)
        call c_f_pointer(local(array), memory, local_shape(array))
        p(1 - h(1):, 1 - h(2):) => memory
    end subroutine
end program
