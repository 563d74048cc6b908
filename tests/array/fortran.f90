! The Fortran module against the intrinsics: every process has the whole serial array beside its part.

! A row of the stencil of the test below, in Fortran.
module fortran_rows
    use, intrinsic :: iso_c_binding
    implicit none
contains
    subroutine average(out, in, step, n, index, context) bind(c)
        type(c_ptr), value :: out, in, index, context
        integer(c_intptr_t), intent(in) :: step(*)
        integer(c_long), value :: n
        real(c_double), pointer :: o(:), u(:)
        integer(c_long) :: i
        integer(c_intptr_t) :: first
        if (step(1) /= 1 .or. .not. c_associated(index) .or. c_associated(context)) error stop 1
        ! From the element before to the one after.
        first = transfer(in, first) - 8
        call c_f_pointer(transfer(first, in), u, [n + 2])
        call c_f_pointer(out, o, [n])
        do i = 1, n
            o(i) = 0.5d0 * u(i) + 0.5d0 * u(i + 2)
        end do
    end subroutine
end module

program array_fortran
    use meridian_arrays
    use fortran_rows
    use, intrinsic :: iso_c_binding
    implicit none
    type(stencil) :: s
    integer, parameter :: n = 13, m = 9
    real(8), target :: whole(n, m), edge(m), back(n, m)
    type(dist_array) :: u, v, w, b, both(2)
    real(8), pointer :: p(:), q(:, :)
    integer :: i, j, id, at(2)
    real(8), target :: value
    character(200) :: path

    do j = 1, m
        edge(j) = -j
        do i = 1, n
            whole(i, j) = i + 100 * j
        end do
    end do
    call create(u, mer_float64, [n, m], name='u', halo=[1, 0])
    call create(v, like=u)
    call create(w, like=u, name='w')
    call create(b, mer_float64, [m])
    call c_f_pointer(local(u), q, local_shape(u))
    at = local_first(u)
    do j = 1, size(q, 2)
        do i = 1, size(q, 1) - 2
            if (at(1) + i - 1 <= n .and. at(2) + j - 1 <= m) q(1 + i, j) = whole(at(1) + i - 1, at(2) + j - 1)
        end do
    end do
    if (c_associated(local(b))) then
        call c_f_pointer(local(b), p, local_shape(b))
        at(1:1) = local_first(b)
        do i = 1, size(p)
            if (at(1) + i - 1 <= m) p(i) = edge(at(1) + i - 1)
        end do
    end if

    do i = -15, 15, 3
        v = cshift(u, i, dim=1)
        call expect(v, cshift(whole, i, dim=1), 'cshift')
        v = cshift(u, i, 2)
        call expect(v, cshift(whole, i, 2), 'cshift along the second axis')
        v = eoshift(u, i, dim=1)
        call expect(v, eoshift(whole, i, dim=1), 'eoshift')
        v = eoshift(u, i, boundary=7d0, dim=2)
        call expect(v, eoshift(whole, i, boundary=7d0, dim=2), 'eoshift with a value')
        v = eoshift(u, i, b, 1)
        call expect(v, eoshift(whole, i, edge, 1), 'eoshift with an array')
        v = eoshift(cshift(cshift(u, i, 2), -2, 1), 3, 7d0, 1)
        call expect(v, eoshift(cshift(cshift(whole, i, 2), -2, 1), 3, 7d0, 1), 'eoshift of shifts')
        v = cshift(eoshift(eoshift(v, i, b, 1), 1, dim=2), 1)
        call expect(v, cshift(eoshift(eoshift(eoshift(cshift(cshift(whole, i, 2), -2, 1), 3, 7d0, 1), i, edge, 1), 1, &
            dim=2), 1), 'shifts of an array to itself')
    end do

    id = pshift_setup(u, [mer_shift(mer_cshift_kind, 1, 1_c_long, dist_array()), &
        mer_shift(mer_eoshift_scalar, 2, -1)])
    both = [v, w]
    value = 3
    call pshift(id, both, [u, u], [c_null_ptr, c_loc(value)])
    call expect(v, cshift(whole, 1, 1), 'pshift, circular')
    call expect(w, eoshift(whole, -1, 3d0, 2), 'pshift, end-off')
    call pshift_start(id, both, [u, u], [c_null_ptr, c_loc(value)])
    call pshift_finish(id)
    call expect(w, eoshift(whole, -1, 3d0, 2), 'pshift in two calls')
    call pshift(id, both, [u, u], values=[0d0, 4d0])
    call expect(w, eoshift(whole, -1, 4d0, 2), 'pshift with values')
    value = 5
    call pshift_start(id, both, [u, u], values=[0 * value, value])
    value = 6
    call pshift_finish(id)
    call expect(w, eoshift(whole, -1, 5d0, 2), 'pshift with values, in two calls')
    call pshift(id, both, [u, u], [c_null_ptr, c_loc(value)], [0d0, 4d0])
    call expect(w, eoshift(whole, -1, 6d0, 2), 'pshift with a pointer and values')
    call pshift_free(id)

    call get(u, [2, 3], c_loc(value))
    if (value /= whole(2, 3)) error stop 'get'
    call elements()
    call gather(u, c_loc(back), 0)
    if (this_thread() == 0) then
        if (any(back /= whole)) error stop 'gather'
    end if

    back = 0
    call gather(u, back, 0)
    if (this_thread() == 0) then
        if (any(back /= whole)) error stop 'gather into an array'
    end if
    call in_other_types()
    call quads()
    call layouts()

    ! A file of each kind, where HDF5 is there; the test says where.
    call get_environment_variable('ARRAY_FILE', path)
    if (save_npy(u, trim(path) // '.npy') /= 0) error stop 'save_npy'
    call fill(w, c_loc(value))
    if (load_npy(w, trim(path) // '.npy') /= 0) error stop 'load_npy'
    call expect(w, whole, 'a .npy file')
    i = save_hdf5(u, trim(path) // '.h5', 'u')
    if (i == 0) then
        call fill(w, c_loc(value))
        if (load_hdf5(w, trim(path) // '.h5', 'u') /= 0) error stop 'load_hdf5'
        call expect(w, whole, 'an HDF5 file')
        if (load_hdf5(w, trim(path) // '.h5', 'u', order=0) == 0) error stop 'an HDF5 file of the other order'
    else
        if (i /= 95) error stop 'save_hdf5' ! ENOTSUP: built without it
    end if

    ! From terms, and from a function.
    call create_stencil(s, u, [mer_term(0.5d0, [-1, 0, 0, 0, 0, 0, 0], 0), mer_term(0.5d0, [1, 0, 0, 0, 0, 0, 0], 0)])
    call run_stencil(s, u, v, 3)
    do i = 1, 3
        whole = 0.5d0 * cshift(whole, -1, 1) + 0.5d0 * cshift(whole, 1, 1)
    end do
    call expect(u, whole, 'a stencil of terms')
    call destroy_stencil(s)
    call in_any_order()
    call create_stencil(s, u, rows=c_funloc(average), radius=[1, 0], face=reshape([ &
        mer_face(mer_value, 2d0), mer_face(mer_reflecting, 0d0), mer_face(), mer_face()], [2, 2]))
    call run_stencil(s, u, v, 2)
    do i = 1, 2
        back(1, :) = 0.5d0 * 2 + 0.5d0 * whole(2, :)
        back(2:n - 1, :) = 0.5d0 * whole(1:n - 2, :) + 0.5d0 * whole(3:n, :)
        back(n, :) = 0.5d0 * whole(n - 1, :) + 0.5d0 * whole(n, :)
        whole = back
    end do
    call expect(u, whole, 'a stencil of a function')
    call destroy_stencil(s)
    call destroy(u)

contains

    ! The 27 points of a cube.
    subroutine in_any_order()
        type(dist_array) :: a, b
        type(mer_term) :: term(27)
        real(8) :: cube(6, 7, 9), sums(6, 7, 9), made(6, 7, 9)
        integer :: i, j, k, t
        cube = reshape([(sin(real(i, 8)), i = 1, size(cube))], shape(cube))
        sums = 0
        t = 0
        do k = -1, 1
            do j = -1, 1
                do i = -1, 1
                    t = t + 1
                    term(t) = mer_term(0.3d0 / 2**(abs(i) + abs(j) + abs(k)), [i, j, k, 0, 0, 0, 0], 0)
                    sums = sums + term(t)%coefficient * cshift(cshift(cshift(cube, i, 1), j, 2), k, 3)
                end do
            end do
        end do
        call create(a, mer_float64, [6, 7, 9], halo=[1, 1, 1])
        call create(b, like=a)
        call scatter(a, cube, 0)
        call create_stencil(s, a, term, reassociate=.true.)
        call run_stencil(s, a, b, 1)
        call gather(a, made, 0)
        if (this_thread() == 0 .and. any(abs(made - sums) > 1d-13)) error stop 'sums in any order'
        call destroy_stencil(s)
        call destroy(a)
        call destroy(b)
    end subroutine

    ! Single elements, and all elements, of each type, by values.
    subroutine elements()
        type(dist_array) :: a
        integer(1) :: x1
        integer(2) :: x2
        integer(4) :: x3
        integer(8) :: x4
        real(4) :: x5
        real(8) :: x6
        complex(4) :: x7
        complex(8) :: x8
        call create(a, mer_int8, [3, 5])
        call fill(a, -7_1)
        x1 = 0
        call barrier()
        call get(a, [1, 4], x1)
        if (x1 /= -7_1) error stop 'fill of mer_int8'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x1 + x1)
        call barrier()
        call get(a, [3, 2], x1)
        if (x1 /= 2 * (-7_1)) error stop 'put of mer_int8'
        a = eoshift(a, 1, x1 + x1 + x1, 2)
        call barrier()
        call get(a, [2, 5], x1)
        if (x1 /= 6 * (-7_1)) error stop 'boundary of mer_int8'
        call destroy(a)
        call create(a, mer_uint16, [3, 5])
        call fill(a, -7_2)
        x2 = 0
        call barrier()
        call get(a, [1, 4], x2)
        if (x2 /= -7_2) error stop 'fill of mer_uint16'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x2 + x2)
        call barrier()
        call get(a, [3, 2], x2)
        if (x2 /= 2 * (-7_2)) error stop 'put of mer_uint16'
        a = eoshift(a, 1, x2 + x2 + x2, 2)
        call barrier()
        call get(a, [2, 5], x2)
        if (x2 /= 6 * (-7_2)) error stop 'boundary of mer_uint16'
        call destroy(a)
        call create(a, mer_int32, [3, 5])
        call fill(a, -7)
        x3 = 0
        call barrier()
        call get(a, [1, 4], x3)
        if (x3 /= -7) error stop 'fill of mer_int32'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x3 + x3)
        call barrier()
        call get(a, [3, 2], x3)
        if (x3 /= 2 * (-7)) error stop 'put of mer_int32'
        a = eoshift(a, 1, x3 + x3 + x3, 2)
        call barrier()
        call get(a, [2, 5], x3)
        if (x3 /= 6 * (-7)) error stop 'boundary of mer_int32'
        call destroy(a)
        call create(a, mer_int64, [3, 5])
        call fill(a, -7_8)
        x4 = 0
        call barrier()
        call get(a, [1, 4], x4)
        if (x4 /= -7_8) error stop 'fill of mer_int64'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x4 + x4)
        call barrier()
        call get(a, [3, 2], x4)
        if (x4 /= 2 * (-7_8)) error stop 'put of mer_int64'
        a = eoshift(a, 1, x4 + x4 + x4, 2)
        call barrier()
        call get(a, [2, 5], x4)
        if (x4 /= 6 * (-7_8)) error stop 'boundary of mer_int64'
        call destroy(a)
        call create(a, mer_float32, [3, 5])
        call fill(a, -7.5)
        x5 = 0
        call barrier()
        call get(a, [1, 4], x5)
        if (x5 /= -7.5) error stop 'fill of mer_float32'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x5 + x5)
        call barrier()
        call get(a, [3, 2], x5)
        if (x5 /= 2 * (-7.5)) error stop 'put of mer_float32'
        a = eoshift(a, 1, x5 + x5 + x5, 2)
        call barrier()
        call get(a, [2, 5], x5)
        if (x5 /= 6 * (-7.5)) error stop 'boundary of mer_float32'
        call destroy(a)
        call create(a, mer_float64, [3, 5])
        call fill(a, -7.5d0)
        x6 = 0
        call barrier()
        call get(a, [1, 4], x6)
        if (x6 /= -7.5d0) error stop 'fill of mer_float64'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x6 + x6)
        call barrier()
        call get(a, [3, 2], x6)
        if (x6 /= 2 * (-7.5d0)) error stop 'put of mer_float64'
        a = eoshift(a, 1, x6 + x6 + x6, 2)
        call barrier()
        call get(a, [2, 5], x6)
        if (x6 /= 6 * (-7.5d0)) error stop 'boundary of mer_float64'
        call destroy(a)
        call create(a, mer_complex64, [3, 5])
        call fill(a, (1.5, -2))
        x7 = 0
        call barrier()
        call get(a, [1, 4], x7)
        if (x7 /= (1.5, -2)) error stop 'fill of mer_complex64'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x7 + x7)
        call barrier()
        call get(a, [3, 2], x7)
        if (x7 /= 2 * (1.5, -2)) error stop 'put of mer_complex64'
        a = eoshift(a, 1, x7 + x7 + x7, 2)
        call barrier()
        call get(a, [2, 5], x7)
        if (x7 /= 6 * (1.5, -2)) error stop 'boundary of mer_complex64'
        call destroy(a)
        call create(a, mer_complex128, [3, 5])
        call fill(a, (1.5d0, -2d0))
        x8 = 0
        call barrier()
        call get(a, [1, 4], x8)
        if (x8 /= (1.5d0, -2d0)) error stop 'fill of mer_complex128'
        call barrier()
        if (this_thread() == 0) call put(a, [3, 2], x8 + x8)
        call barrier()
        call get(a, [3, 2], x8)
        if (x8 /= 2 * (1.5d0, -2d0)) error stop 'put of mer_complex128'
        a = eoshift(a, 1, x8 + x8 + x8, 2)
        call barrier()
        call get(a, [2, 5], x8)
        if (x8 /= 6 * (1.5d0, -2d0)) error stop 'boundary of mer_complex128'
        call destroy(a)
    end subroutine

    ! Arrays of other types and ranks to a process and back; the last process is the root.
    subroutine in_other_types()
        type(dist_array) :: a
        integer(1) :: bytes(5, 3), bytes_back(15)
        integer, allocatable :: numbers(:), numbers_back(:)
        complex(8) :: c(2, 3, 2, 2), c_back(2, 3, 2, 2)
        integer(8) :: long(2, 1, 3, 2, 1, 2, 2), long_back(2, 1, 3, 2, 1, 2, 2), cube(6, 4, 2)
        real(4) :: r(10, 3), r_back(5, 3)
        integer :: k, root
        root = threads() - 1
        bytes = reshape([(int(k, 1), k = 1, 15)], [5, 3])
        bytes_back = 0
        call create(a, mer_uint8, [5, 3])
        call scatter(a, bytes, root)
        call gather(a, bytes_back, root)
        if (this_thread() == root .and. any(bytes_back /= [(k, k = 1, 15)])) error stop 'bytes'
        call destroy(a)
        numbers = [(k * k, k = 1, 11)]
        allocate (numbers_back(0))
        if (this_thread() == root) numbers_back = 0 * numbers
        call create(a, mer_int32, [11])
        call scatter(a, numbers, root)
        call gather(a, numbers_back, root)
        if (this_thread() == root) then
            if (any(numbers_back /= numbers)) error stop 'numbers'
        end if
        call destroy(a)
        c = reshape([(cmplx(k, -k, 8), k = 1, 24)], shape(c))
        c_back = 0
        call create(a, mer_complex128, [2, 3, 2, 2])
        call scatter(a, c, root)
        call gather(a, c_back, root)
        if (this_thread() == root .and. any(c_back /= c)) error stop 'complex numbers'
        call destroy(a)
        long = reshape([(k, k = 1, 48)], shape(long))
        long_back = 0
        cube = 0
        call create(a, mer_int64, shape(long))
        call scatter(a, long, root)
        call gather(a, long_back, root)
        call gather(a, cube, root)
        if (this_thread() == root .and. any(long_back /= long)) error stop 'seven axes'
        if (this_thread() == root .and. any(cube /= reshape([(k, k = 1, 48)], shape(cube)))) error stop 'a cube'
        call destroy(a)
        r = reshape([(real(k), k = 1, 30)], shape(r)) ! a section goes as an expression
        r_back = 0
        call create(a, mer_float32, [5, 3])
        call scatter(a, (r(2:10:2, :)), root)
        call gather(a, r_back, root)
        if (this_thread() == root .and. any(r_back /= r(2:10:2, :))) error stop 'a section'
        call destroy(a)
    end subroutine

    ! Types without values in the module are passed by address.
    subroutine quads()
        integer, parameter :: quad = selected_real_kind(33)
        type(dist_array) :: a, b
        real(quad), target :: serial(7, 3), made(7, 3), third, total
        complex(8), target :: sums
        integer(8), target :: number
        integer :: k
        third = 1 / 3._quad
        serial = reshape([(sqrt(real(k, quad)), k = 1, 21)], [7, 3])
        call create(a, mer_float128, [7, 3], name='quads')
        call create(b, like=a)
        call scatter(a, c_loc(serial), 0)
        b = eoshift(cshift(a, -1, 1), 2, c_loc(third), 2)
        call gather(b, c_loc(made), 0)
        if (this_thread() == 0) then
            if (any(made /= eoshift(cshift(serial, -1, 1), 2, third, 2))) error stop 'eoshift of quads'
        end if
        call reduce_array(b, mer_min, c_loc(total))
        if (total /= third) error stop 'the least quad'
        call destroy(a)
        call destroy(b)
        call create(a, mer_complex64, [9])
        call fill(a, (1.0, -2.0))
        call reduce_array(a, mer_sum, c_loc(sums))
        if (sums /= (9d0, -18d0)) error stop 'the sum of complex numbers'
        call destroy(a)
        call create(a, mer_uint64, [9])
        call fill(a, -1_8)
        call reduce_array(a, mer_max, c_loc(number))
        if (number /= -1 .or. maxval(a) /= 2d0**64) error stop 'the largest unsigned integer'
        call destroy(a)
    end subroutine

    ! Functions that describe a layout.
    subroutine layouts()
        type(dist_array) :: a, column
        character(100) :: text
        logical, allocatable :: mask(:)
        integer :: file, k
        call create(a, mer_int8, [9, 14], name='a')
        call create(column, mer_int8, [14], align=a, follows=[2])
        allocate (mask(0))
        mask = mask_of(a)
        if (size(mask) /= product(local_shape(a)) .or. count(mask) /= product(local_count(a))) error stop 'mask'
        do k = 1, 14
            if (owner_of(column, [k]) /= owner_of(a, [1, k])) error stop 'owners'
        end do
        if (this_thread() == 0) then
            open (newunit=file, status='scratch', action='readwrite')
            call print_array(a, file)
            call draw_array(a, file)
            call svg_array(a, file)
            rewind (file)
            read (file, '(a)') text
            if (index(text, 'a: int8 9 x 14, column-major') /= 1) error stop 'the descriptor'
            do while (index(text, '</svg>') == 0)
                read (file, '(a)') text
            end do
            close (file)
        end if
        call destroy(a)
        call destroy(column)
    end subroutine

    subroutine expect(array, serial, what)
        type(dist_array), intent(in) :: array
        real(8), intent(in) :: serial(:, :)
        character(*), intent(in) :: what
        real(8), pointer :: part(:, :)
        integer :: first(2), count(2)
        if (.not. c_associated(local(array))) return
        call c_f_pointer(local(array), part, local_shape(array))
        first = local_first(array)
        count = local_count(array)
        if (all(part(2:1 + count(1), 1:count(2)) == &
            serial(first(1):first(1) + count(1) - 1, first(2):first(2) + count(2) - 1))) return
        print *, 'wrong: ', what
        error stop 1
    end subroutine
end program
