! Polyshift for Fortran 2008: distributed arrays and their shifts, over meridian/array.h.
!
! This file is the module; compile it with the program:
!
!     gfortran -no-pie $(pkg-config --variable=fortran meridian) heat.f90 $(pkg-config --libs meridian) -o heat
!     meridian run -n 4 ./heat
!
! Axes are numbered from 1, indices from 1, arrays are column-major, and the names and the order of arguments are
! the intrinsics':
!
!     type(dist_array) :: u, north
!     call create(u, mer_float64, [512, 512], name='u')
!     call create(north, like=u)
!     north = cshift(u, 1, dim=2)
!     north = eoshift(u, 1, boundary=0d0, dim=2)
!
! The assignment performs the shift, directly into the array on its left.  A pointer gives access to the elements of
! this process, without copying:
!
!     real(8), pointer :: p(:, :)
!     call c_f_pointer(local(u), p, local_shape(u))
!
! Calls are collective as in C; errors end the job, as in C.
module meridian_arrays
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: output_unit
    implicit none
    private

    public :: c_f_pointer, c_ptr
    public :: dist_array, dist_shift, dist_shifts, assignment(=), cshift, eoshift
    public :: sum, minval, maxval, reduce_array
    public :: fetch_halo, fetch_halo_start, fetch_halo_finish
    public :: print_array, draw_array, svg_array, owner_of, mask_of
    public :: create, destroy, fill, get, put, gather, scatter, save_npy, load_npy, save_hdf5, load_hdf5, describe
    public :: local, local_shape, local_first, local_count, redistribute
    public :: mer_shift, pshift_setup, pshift, pshift_start, pshift_finish, pshift_free
    public :: this_thread, threads, barrier
    public :: mer_tile, mer_kernel
    public :: stencil, mer_term, mer_face, create_stencil, run_stencil, destroy_stencil

    integer, parameter, public :: mer_rank = 7
    enum, bind(c)
        enumerator :: mer_int8 = 1, mer_int16, mer_int32, mer_int64, mer_uint8, mer_uint16, mer_uint32, mer_uint64, &
            mer_float32, mer_float64, mer_long_double, mer_float128, mer_complex64, mer_complex128, &
            mer_complex_long_double, mer_complex256
    end enum
    public :: mer_int8, mer_int16, mer_int32, mer_int64, mer_uint8, mer_uint16, mer_uint32, mer_uint64, mer_float32, &
        mer_float64, mer_long_double, mer_float128, mer_complex64, mer_complex128, mer_complex_long_double, &
        mer_complex256
    enum, bind(c)
        enumerator :: mer_cshift_kind = 0, mer_eoshift_0, mer_eoshift_1, mer_eoshift_scalar, mer_eoshift_array
    end enum
    public :: mer_cshift_kind, mer_eoshift_0, mer_eoshift_1, mer_eoshift_scalar, mer_eoshift_array
    integer(c_int), parameter, public :: mer_news = 0, mer_send = 1
    integer(c_int), parameter, public :: mer_sum = 0, mer_min = 1, mer_max = 2

    type :: dist_array
        type(c_ptr) :: handle = c_null_ptr
    end type

    ! Shifts of an array that are not assigned yet.  They own no memory: not all compilers free the memory of a
    ! function's result.  A single shift has its own type, since results are copied, and is not initialised, since
    ! that takes as long as copying.  The bytes of a value are in words, which compilers keep in registers.
    type :: one_shift
        type(c_ptr) :: boundary
        integer(c_long) :: distance
        integer(c_int) :: kind, axis, scalar_kind
        integer(c_int64_t) :: scalar(4)
    end type
    type, abstract :: pending
    end type
    type, extends(pending) :: dist_shift
        private
        type(c_ptr) :: array
        type(one_shift) :: shift
    end type
    ! Several shifts, the innermost first.
    integer, parameter :: most_shifts = 16
    type, extends(pending) :: dist_shifts
        private
        type(c_ptr) :: array = c_null_ptr
        integer :: shifts = 0
        type(one_shift) :: shift(most_shifts)
    end type

    type :: no_boundary
    end type

    ! One of the shifts of a set-up; dim from 1 on.
    type :: mer_shift
        integer :: kind = 0
        integer :: dim = 1
        integer(c_long) :: distance = 0
        type(dist_array) :: boundary = dist_array()
    end type

    enum, bind(c)
        enumerator :: mer_periodic = 0, mer_value, mer_reflecting, mer_absorbing
    end enum
    public :: mer_periodic, mer_value, mer_reflecting, mer_absorbing

    ! The types of meridian/stencil.h.
    type, bind(c) :: mer_term
        real(c_double) :: coefficient = 0
        integer(c_int) :: offset(mer_rank) = 0
        integer(c_int) :: old = 0
    end type
    type, bind(c) :: mer_face
        integer(c_int) :: kind = mer_periodic
        real(c_double) :: value = 0
    end type
    type, bind(c) :: mer_tile
        integer(c_long) :: n = 0, rows = 0
        integer(c_intptr_t) :: next = 0
        type(c_ptr) :: index = c_null_ptr
        integer(c_int) :: axis = 0, row_axis = -1
        type(c_ptr) :: extent = c_null_ptr
    end type
    type, bind(c) :: mer_kernel
        type(c_ptr) :: name = c_null_ptr
        type(c_funptr) :: tile = c_null_funptr
        integer(c_int) :: kind = 0, rank = 0, radius(mer_rank) = 0, old = 0
    end type
    type :: stencil
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    ! ---- the interface to C ----

    type, bind(c) :: c_stencil_spec
        integer(c_int) :: terms = 0
        type(c_ptr) :: term = c_null_ptr
        type(c_funptr) :: rows = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
        integer(c_int) :: radius(mer_rank) = 0
        type(mer_face) :: face(2, mer_rank)
        integer(c_int) :: steps = 0
        type(c_ptr) :: kernel = c_null_ptr
        integer(c_int) :: reassociate = 0
    end type

    type, bind(c) :: c_axis
        real(c_double) :: weight = 0
        integer(c_int) :: serial = 0, order = 0, processes = 0
        integer(c_long) :: block = 0
        integer(c_int) :: halo = 0, follows = 0
    end type
    type, bind(c) :: c_spec
        type(c_ptr) :: name = c_null_ptr
        integer(c_int) :: kind = 0, rank = 0, order = 1
        integer(c_long) :: extent(mer_rank) = 0
        type(c_axis) :: axis(mer_rank)
        type(c_ptr) :: align = c_null_ptr
    end type
    type, bind(c) :: c_info
        type(c_ptr) :: name
        integer(c_int) :: kind
        integer(c_size_t) :: size
        integer(c_int) :: rank, order
        integer(c_long) :: extent(mer_rank)
        integer(c_int) :: serial(mer_rank), axis_order(mer_rank), processes(mer_rank)
        integer(c_long) :: block(mer_rank)
        integer(c_int) :: halo(mer_rank)
        integer(c_intptr_t) :: stride(mer_rank)
        integer(c_size_t) :: bytes
        integer(c_int) :: thread, place(mer_rank)
        integer(c_long) :: first(mer_rank), count(mer_rank)
        type(c_ptr) :: local
    end type
    type, bind(c) :: c_shift
        integer(c_int) :: kind, axis
        integer(c_long) :: distance
        type(c_ptr) :: boundary
    end type

    interface
        function c_create(spec) bind(c, name='mer_array_create') result(array)
            import :: c_ptr, c_spec
            type(c_spec), intent(in) :: spec
            type(c_ptr) :: array
        end function
        function c_like(array, name) bind(c, name='mer_array_like') result(other)
            import :: c_ptr
            type(c_ptr), value :: array, name
            type(c_ptr) :: other
        end function
        subroutine c_free(array) bind(c, name='mer_array_free')
            import :: c_ptr
            type(c_ptr), value :: array
        end subroutine
        subroutine c_describe(array, thread, info) bind(c, name='mer_array_describe')
            import :: c_ptr, c_int, c_info
            type(c_ptr), value :: array
            integer(c_int), value :: thread
            type(c_info), intent(out) :: info
        end subroutine
        function c_kind(array) bind(c, name='mer_array_type') result(kind)
            import :: c_ptr, c_int
            type(c_ptr), value :: array
            integer(c_int) :: kind
        end function
        subroutine c_get(array, index, value) bind(c, name='mer_array_get')
            import :: c_ptr, c_long
            type(c_ptr), value :: array, value
            integer(c_long), intent(in) :: index(*)
        end subroutine
        subroutine c_put(array, index, value) bind(c, name='mer_array_put')
            import :: c_ptr, c_long
            type(c_ptr), value :: array, value
            integer(c_long), intent(in) :: index(*)
        end subroutine
        subroutine c_fill(array, value) bind(c, name='mer_array_fill')
            import :: c_ptr
            type(c_ptr), value :: array, value
        end subroutine
        subroutine c_reduce(array, how, value) bind(c, name='mer_array_reduce')
            import
            type(c_ptr), value :: array, value
            integer(c_int), value :: how
        end subroutine
        subroutine c_print(array, file) bind(c, name='mer_array_print')
            import
            type(c_ptr), value :: array, file
        end subroutine
        subroutine c_draw(array, file) bind(c, name='mer_array_draw')
            import
            type(c_ptr), value :: array, file
        end subroutine
        subroutine c_svg(array, file) bind(c, name='mer_array_svg')
            import
            type(c_ptr), value :: array, file
        end subroutine
        function c_owner(array, index) bind(c, name='mer_array_owner') result(thread)
            import
            type(c_ptr), value :: array
            integer(c_long), intent(in) :: index(*)
            integer(c_int) :: thread
        end function
        subroutine c_mask(array, mask) bind(c, name='mer_array_mask')
            import
            type(c_ptr), value :: array
            integer(c_int8_t), intent(out) :: mask(*)
        end subroutine
        function c_memory_stream(at, length) bind(c, name='open_memstream') result(file)
            import
            type(c_ptr), value :: at, length
            type(c_ptr) :: file
        end function
        function c_close(file) bind(c, name='fclose') result(error)
            import
            type(c_ptr), value :: file
            integer(c_int) :: error
        end function
        subroutine c_release(memory) bind(c, name='free')
            import
            type(c_ptr), value :: memory
        end subroutine
        subroutine c_gather(array, all, root) bind(c, name='mer_array_gather')
            import :: c_ptr, c_int
            type(c_ptr), value :: array, all
            integer(c_int), value :: root
        end subroutine
        subroutine c_scatter(array, all, root) bind(c, name='mer_array_scatter')
            import :: c_ptr, c_int
            type(c_ptr), value :: array, all
            integer(c_int), value :: root
        end subroutine
        subroutine c_copy(to, from) bind(c, name='mer_array_copy')
            import :: c_ptr
            type(c_ptr), value :: to, from
        end subroutine
        function c_save(array, path) bind(c, name='mer_array_save') result(error)
            import :: c_ptr, c_int, c_char
            type(c_ptr), value :: array
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int) :: error
        end function
        function c_load(array, path) bind(c, name='mer_array_load') result(error)
            import :: c_ptr, c_int, c_char
            type(c_ptr), value :: array
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int) :: error
        end function
        function c_save_hdf5(array, path, name, order) bind(c, name='mer_array_save_hdf5') result(error)
            import :: c_ptr, c_int, c_char
            type(c_ptr), value :: array
            character(kind=c_char), intent(in) :: path(*), name(*)
            integer(c_int), value :: order
            integer(c_int) :: error
        end function
        function c_load_hdf5(array, path, name, order) bind(c, name='mer_array_load_hdf5') result(error)
            import :: c_ptr, c_int, c_char
            type(c_ptr), value :: array
            character(kind=c_char), intent(in) :: path(*), name(*)
            integer(c_int), value :: order
            integer(c_int) :: error
        end function
        subroutine c_cshift(to, from, distance, axis) bind(c, name='mer_cshift')
            import :: c_ptr, c_long, c_int
            type(c_ptr), value :: to, from
            integer(c_long), value :: distance
            integer(c_int), value :: axis
        end subroutine
        subroutine c_eoshift(to, from, distance, kind, boundary, axis) bind(c, name='mer_eoshift')
            import :: c_ptr, c_long, c_int
            type(c_ptr), value :: to, from, boundary
            integer(c_long), value :: distance
            integer(c_int), value :: kind, axis
        end subroutine
        function c_setup(prototype, n, shifts) bind(c, name='mer_pshift_setup') result(id)
            import :: c_ptr, c_int, c_shift
            type(c_ptr), value :: prototype
            integer(c_int), value :: n
            type(c_shift), intent(in) :: shifts(*)
            integer(c_int) :: id
        end function
        subroutine c_pshift(id, to, from, boundary) bind(c, name='mer_pshift')
            import :: c_ptr, c_int
            integer(c_int), value :: id
            type(c_ptr), intent(in) :: to(*), from(*), boundary(*)
        end subroutine
        function c_count(id) bind(c, name='mer_pshift_count') result(n)
            import :: c_int
            integer(c_int), value :: id
            integer(c_int) :: n
        end function
        subroutine c_refuse(call, what) bind(c, name='mer_array_refuse')
            import :: c_char
            character(kind=c_char), intent(in) :: call(*), what(*)
        end subroutine
        function c_type_name(kind) bind(c, name='mer_type_name') result(name)
            import :: c_ptr, c_int
            integer(c_int), value :: kind
            type(c_ptr) :: name
        end function
        function c_length(text) bind(c, name='strlen') result(n)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: n
        end function
        subroutine c_start(id, to, from, boundary) bind(c, name='mer_pshift_start')
            import :: c_ptr, c_int
            integer(c_int), value :: id
            type(c_ptr), intent(in) :: to(*), from(*), boundary(*)
        end subroutine
        subroutine c_finish(id) bind(c, name='mer_pshift_finish')
            import :: c_int
            integer(c_int), value :: id
        end subroutine
        subroutine c_unset(id) bind(c, name='mer_pshift_free')
            import :: c_int
            integer(c_int), value :: id
        end subroutine
        function c_stencil_create(prototype, spec) bind(c, name='mer_stencil_create') result(s)
            import :: c_ptr, c_stencil_spec
            type(c_ptr), value :: prototype
            type(c_stencil_spec), intent(in) :: spec
            type(c_ptr) :: s
        end function
        function c_stencil_run(s, u, old, steps) bind(c, name='mer_stencil_run') result(newest)
            import :: c_ptr, c_long
            type(c_ptr), value :: s, u, old
            integer(c_long), value :: steps
            type(c_ptr) :: newest
        end function
        subroutine c_stencil_fetch(s, u) bind(c, name='mer_stencil_fetch')
            import
            type(c_ptr), value :: s, u
        end subroutine
        subroutine c_stencil_fetch_start(s, u) bind(c, name='mer_stencil_fetch_start')
            import
            type(c_ptr), value :: s, u
        end subroutine
        subroutine c_stencil_fetch_finish(s) bind(c, name='mer_stencil_fetch_finish')
            import
            type(c_ptr), value :: s
        end subroutine
        subroutine c_stencil_free(s) bind(c, name='mer_stencil_free')
            import :: c_ptr
            type(c_ptr), value :: s
        end subroutine
        function c_thread() bind(c, name='mer_mythread') result(n)
            import :: c_int
            integer(c_int) :: n
        end function
        function c_threads() bind(c, name='mer_threads') result(n)
            import :: c_int
            integer(c_int) :: n
        end function
        subroutine c_barrier() bind(c, name='mer_barrier_all')
        end subroutine
    end interface

    interface gather
        module procedure gather_at, gather_1, gather_2, gather_3, gather_4, gather_5, gather_6, gather_7
    end interface
    interface scatter
        module procedure scatter_at, scatter_1, scatter_2, scatter_3, scatter_4, scatter_5, scatter_6, scatter_7
    end interface
    interface fill
        module procedure fill_at, fill_int8, fill_int16, fill_int32, fill_int64, fill_real32, fill_real64, &
            fill_complex64, fill_complex128
    end interface
    interface get
        module procedure get_at, get_int8, get_int16, get_int32, get_int64, get_real32, get_real64, &
            get_complex64, get_complex128
    end interface
    interface put
        module procedure put_at, put_int8, put_int16, put_int32, put_int64, put_real32, put_real64, &
            put_complex64, put_complex128
    end interface
    interface create
        module procedure create_new, create_like
    end interface
    interface cshift
        module procedure shift_circular, around_circular
    end interface
    interface sum
        module procedure sum_of
    end interface
    interface minval
        module procedure least_of
    end interface
    interface maxval
        module procedure largest_of
    end interface
    interface mer_shift
        module procedure shift_by_default_integer
    end interface
    interface eoshift
        module procedure end_off_zero, end_off_array, end_off_at, end_off_int8, end_off_int16, end_off_int32, &
            end_off_int64, end_off_real32, end_off_real64, end_off_complex64, end_off_complex128
        module procedure around_zero, around_array, around_at, around_int8, around_int16, around_int32, &
            around_int64, around_real32, around_real64, around_complex64, around_complex128
    end interface
    interface assignment(=)
        module procedure do_shift, do_shifts
    end interface

contains

    ! ---- arrays ----

    ! Creates an array.  The optional arguments have one number for each axis, as in struct mer_axis.
    subroutine create_new(array, kind, extents, name, weight, serial, order, processes, block, halo, align, follows)
        type(dist_array), intent(out) :: array
        integer(c_int), intent(in) :: kind
        integer, intent(in) :: extents(:)
        character(*), intent(in), optional :: name
        real(c_double), intent(in), optional :: weight(:)
        logical, intent(in), optional :: serial(:)
        integer, intent(in), optional :: order(:), processes(:), block(:), halo(:), follows(:)
        type(dist_array), intent(in), optional :: align
        type(c_spec) :: spec
        character(kind=c_char, len=:), allocatable, target :: text
        integer :: n
        n = size(extents)
        spec%kind = kind
        spec%rank = n
        n = min(n, mer_rank)
        spec%extent(1:n) = extents(1:n)
        if (present(weight)) call expect_axes('mer_array_create', 'weight', size(weight), size(extents))
        if (present(serial)) call expect_axes('mer_array_create', 'serial', size(serial), size(extents))
        if (present(order)) call expect_axes('mer_array_create', 'order', size(order), size(extents))
        if (present(processes)) call expect_axes('mer_array_create', 'processes', size(processes), size(extents))
        if (present(block)) call expect_axes('mer_array_create', 'block', size(block), size(extents))
        if (present(halo)) call expect_axes('mer_array_create', 'halo', size(halo), size(extents))
        if (present(follows)) call expect_axes('mer_array_create', 'follows', size(follows), size(extents))
        if (present(weight)) spec%axis(1:n)%weight = weight(1:n)
        if (present(serial)) spec%axis(1:n)%serial = merge(1_c_int, 0_c_int, serial(1:n))
        if (present(order)) spec%axis(1:n)%order = order(1:n)
        if (present(processes)) spec%axis(1:n)%processes = processes(1:n)
        if (present(block)) spec%axis(1:n)%block = block(1:n)
        if (present(halo)) spec%axis(1:n)%halo = halo(1:n)
        if (present(follows)) spec%axis(1:n)%follows = follows(1:n)
        if (present(align)) spec%align = align%handle
        if (present(name)) then
            text = trim(name) // c_null_char
            spec%name = c_loc(text)
        end if
        array%handle = c_create(spec)
    end subroutine

    subroutine create_like(array, like, name)
        type(dist_array), intent(out) :: array
        type(dist_array), intent(in) :: like
        character(*), intent(in), optional :: name
        character(kind=c_char, len=:), allocatable, target :: text
        if (present(name)) then
            text = trim(name) // c_null_char
            array%handle = c_like(like%handle, c_loc(text))
        else
            array%handle = c_like(like%handle, c_null_ptr)
        end if
    end subroutine

    subroutine destroy(array)
        type(dist_array), intent(inout) :: array
        call c_free(array%handle)
        array%handle = c_null_ptr
    end subroutine

    ! The value has the array's element type; pass c_loc of a value whose type Fortran 2008 has no name for.
    subroutine fill_at(array, value)
        type(dist_array), intent(in) :: array
        type(c_ptr), intent(in) :: value
        call c_fill(array%handle, value)
    end subroutine

    subroutine get_at(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        type(c_ptr), intent(in) :: value
        call expect_axes('mer_array_get', 'index', size(index), rank_of('mer_array_get', array))
        call c_get(array%handle, int(index, c_long) - 1_c_long, value)
    end subroutine

    subroutine put_at(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        type(c_ptr), intent(in) :: value
        call expect_axes('mer_array_put', 'index', size(index), rank_of('mer_array_put', array))
        call c_put(array%handle, int(index, c_long) - 1_c_long, value)
    end subroutine

    subroutine fill_int8(array, value)
        type(dist_array), intent(in) :: array
        integer(c_int8_t), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine fill_int16(array, value)
        type(dist_array), intent(in) :: array
        integer(c_int16_t), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine fill_int32(array, value)
        type(dist_array), intent(in) :: array
        integer(c_int32_t), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine fill_int64(array, value)
        type(dist_array), intent(in) :: array
        integer(c_int64_t), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine fill_real32(array, value)
        type(dist_array), intent(in) :: array
        real(c_float), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine fill_real64(array, value)
        type(dist_array), intent(in) :: array
        real(c_double), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine fill_complex64(array, value)
        type(dist_array), intent(in) :: array
        complex(c_float_complex), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine fill_complex128(array, value)
        type(dist_array), intent(in) :: array
        complex(c_double_complex), intent(in), target :: value
        call fill_at(array, value_address('mer_array_fill', array, value))
    end subroutine

    subroutine get_int8(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int8_t), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine get_int16(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int16_t), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine get_int32(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int32_t), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine get_int64(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int64_t), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine get_real32(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        real(c_float), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine get_real64(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        real(c_double), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine get_complex64(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        complex(c_float_complex), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine get_complex128(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        complex(c_double_complex), intent(inout), target :: value
        call get_at(array, index, value_address('mer_array_get', array, value))
    end subroutine

    subroutine put_int8(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int8_t), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    subroutine put_int16(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int16_t), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    subroutine put_int32(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int32_t), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    subroutine put_int64(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer(c_int64_t), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    subroutine put_real32(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        real(c_float), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    subroutine put_real64(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        real(c_double), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    subroutine put_complex64(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        complex(c_float_complex), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    subroutine put_complex128(array, index, value)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        complex(c_double_complex), intent(in), target :: value
        call put_at(array, index, value_address('mer_array_put', array, value))
    end subroutine

    ! Return the sum of all elements, the least and the largest one, on every process, for arrays of integers and of
    ! real(4) and real(8).  reduce_array is for all types.
    function sum_of(array) result(value)
        type(dist_array), intent(in) :: array
        real(c_double) :: value
        value = reduced(array, mer_sum, 'sum')
    end function

    function least_of(array) result(value)
        type(dist_array), intent(in) :: array
        real(c_double) :: value
        value = reduced(array, mer_min, 'minval')
    end function

    function largest_of(array) result(value)
        type(dist_array), intent(in) :: array
        real(c_double) :: value
        value = reduced(array, mer_max, 'maxval')
    end function

    function reduced(array, how, name) result(value)
        type(dist_array), intent(in) :: array
        integer(c_int), intent(in) :: how
        character(*), intent(in) :: name
        real(c_double), target :: value
        integer(c_int64_t), target :: number
        type(c_info) :: info
        call expect_created(name, array)
        info = describe(array)
        select case (info%kind)
        case (mer_float32, mer_float64)
            call c_reduce(array%handle, how, c_loc(value))
        case (mer_int8:mer_uint64)
            call c_reduce(array%handle, how, c_loc(number))
            value = real(number, c_double)
            if (number < 0 .and. info%kind >= mer_uint8) value = value + 2d0**64
        case default
            call refuse(name, "`" // text_of(info%name) // "' is of " // text_of(c_type_name(info%kind)) // &
                ', but sum, minval and maxval are of integers, real(4) and real(8): call reduce_array')
        end select
    end function

    ! how: mer_sum, mer_min or mer_max; complex numbers have only mer_sum.  value: c_loc of an integer(8) for arrays of
    ! integers, of a real(8) for real(4) and real(8), of a complex(8) for complex(4) and complex(8); for other types, of
    ! a variable of the array's own type.
    subroutine reduce_array(array, how, value)
        type(dist_array), intent(in) :: array
        integer(c_int), intent(in) :: how
        type(c_ptr), intent(in) :: value
        call c_reduce(array%handle, how, value)
    end subroutine

    ! Copy the array to, or from, the memory `all' on thread `root' (from 0 on): c_loc, or a contiguous array of the
    ! array's element type, with its shape or as many elements in another rank.  Other threads ignore `all'.
    subroutine gather_at(array, all, root)
        type(dist_array), intent(in) :: array
        type(c_ptr), intent(in) :: all
        integer, intent(in) :: root
        call c_gather(array%handle, all, int(root, c_int))
    end subroutine

    subroutine scatter_at(array, all, root)
        type(dist_array), intent(in) :: array
        type(c_ptr), intent(in) :: all
        integer, intent(in) :: root
        call c_scatter(array%handle, all, int(root, c_int))
    end subroutine

    subroutine gather_1(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(inout), target :: all(:)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_gather', array, shape(all))
            at = address('mer_array_gather', array, all(1))
            call expect_contiguous('mer_array_gather', array, shape(all), at, [ &
                address('mer_array_gather', array, all(size(all, 1)))])
        end if
        call c_gather(array%handle, at, int(root, c_int))
    end subroutine

    subroutine gather_2(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(inout), target :: all(:, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_gather', array, shape(all))
            at = address('mer_array_gather', array, all(1, 1))
            call expect_contiguous('mer_array_gather', array, shape(all), at, [ &
                address('mer_array_gather', array, all(size(all, 1), 1)), &
                address('mer_array_gather', array, all(1, size(all, 2)))])
        end if
        call c_gather(array%handle, at, int(root, c_int))
    end subroutine

    subroutine gather_3(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(inout), target :: all(:, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_gather', array, shape(all))
            at = address('mer_array_gather', array, all(1, 1, 1))
            call expect_contiguous('mer_array_gather', array, shape(all), at, [ &
                address('mer_array_gather', array, all(size(all, 1), 1, 1)), &
                address('mer_array_gather', array, all(1, size(all, 2), 1)), &
                address('mer_array_gather', array, all(1, 1, size(all, 3)))])
        end if
        call c_gather(array%handle, at, int(root, c_int))
    end subroutine

    subroutine gather_4(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(inout), target :: all(:, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_gather', array, shape(all))
            at = address('mer_array_gather', array, all(1, 1, 1, 1))
            call expect_contiguous('mer_array_gather', array, shape(all), at, [ &
                address('mer_array_gather', array, all(size(all, 1), 1, 1, 1)), &
                address('mer_array_gather', array, all(1, size(all, 2), 1, 1)), &
                address('mer_array_gather', array, all(1, 1, size(all, 3), 1)), &
                address('mer_array_gather', array, all(1, 1, 1, size(all, 4)))])
        end if
        call c_gather(array%handle, at, int(root, c_int))
    end subroutine

    subroutine gather_5(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(inout), target :: all(:, :, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_gather', array, shape(all))
            at = address('mer_array_gather', array, all(1, 1, 1, 1, 1))
            call expect_contiguous('mer_array_gather', array, shape(all), at, [ &
                address('mer_array_gather', array, all(size(all, 1), 1, 1, 1, 1)), &
                address('mer_array_gather', array, all(1, size(all, 2), 1, 1, 1)), &
                address('mer_array_gather', array, all(1, 1, size(all, 3), 1, 1)), &
                address('mer_array_gather', array, all(1, 1, 1, size(all, 4), 1)), &
                address('mer_array_gather', array, all(1, 1, 1, 1, size(all, 5)))])
        end if
        call c_gather(array%handle, at, int(root, c_int))
    end subroutine

    subroutine gather_6(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(inout), target :: all(:, :, :, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_gather', array, shape(all))
            at = address('mer_array_gather', array, all(1, 1, 1, 1, 1, 1))
            call expect_contiguous('mer_array_gather', array, shape(all), at, [ &
                address('mer_array_gather', array, all(size(all, 1), 1, 1, 1, 1, 1)), &
                address('mer_array_gather', array, all(1, size(all, 2), 1, 1, 1, 1)), &
                address('mer_array_gather', array, all(1, 1, size(all, 3), 1, 1, 1)), &
                address('mer_array_gather', array, all(1, 1, 1, size(all, 4), 1, 1)), &
                address('mer_array_gather', array, all(1, 1, 1, 1, size(all, 5), 1)), &
                address('mer_array_gather', array, all(1, 1, 1, 1, 1, size(all, 6)))])
        end if
        call c_gather(array%handle, at, int(root, c_int))
    end subroutine

    subroutine gather_7(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(inout), target :: all(:, :, :, :, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_gather', array, shape(all))
            at = address('mer_array_gather', array, all(1, 1, 1, 1, 1, 1, 1))
            call expect_contiguous('mer_array_gather', array, shape(all), at, [ &
                address('mer_array_gather', array, all(size(all, 1), 1, 1, 1, 1, 1, 1)), &
                address('mer_array_gather', array, all(1, size(all, 2), 1, 1, 1, 1, 1)), &
                address('mer_array_gather', array, all(1, 1, size(all, 3), 1, 1, 1, 1)), &
                address('mer_array_gather', array, all(1, 1, 1, size(all, 4), 1, 1, 1)), &
                address('mer_array_gather', array, all(1, 1, 1, 1, size(all, 5), 1, 1)), &
                address('mer_array_gather', array, all(1, 1, 1, 1, 1, size(all, 6), 1)), &
                address('mer_array_gather', array, all(1, 1, 1, 1, 1, 1, size(all, 7)))])
        end if
        call c_gather(array%handle, at, int(root, c_int))
    end subroutine

    subroutine scatter_1(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(in), target :: all(:)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_scatter', array, shape(all))
            at = address('mer_array_scatter', array, all(1))
            call expect_contiguous('mer_array_scatter', array, shape(all), at, [ &
                address('mer_array_scatter', array, all(size(all, 1)))])
        end if
        call c_scatter(array%handle, at, int(root, c_int))
    end subroutine

    subroutine scatter_2(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(in), target :: all(:, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_scatter', array, shape(all))
            at = address('mer_array_scatter', array, all(1, 1))
            call expect_contiguous('mer_array_scatter', array, shape(all), at, [ &
                address('mer_array_scatter', array, all(size(all, 1), 1)), &
                address('mer_array_scatter', array, all(1, size(all, 2)))])
        end if
        call c_scatter(array%handle, at, int(root, c_int))
    end subroutine

    subroutine scatter_3(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(in), target :: all(:, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_scatter', array, shape(all))
            at = address('mer_array_scatter', array, all(1, 1, 1))
            call expect_contiguous('mer_array_scatter', array, shape(all), at, [ &
                address('mer_array_scatter', array, all(size(all, 1), 1, 1)), &
                address('mer_array_scatter', array, all(1, size(all, 2), 1)), &
                address('mer_array_scatter', array, all(1, 1, size(all, 3)))])
        end if
        call c_scatter(array%handle, at, int(root, c_int))
    end subroutine

    subroutine scatter_4(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(in), target :: all(:, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_scatter', array, shape(all))
            at = address('mer_array_scatter', array, all(1, 1, 1, 1))
            call expect_contiguous('mer_array_scatter', array, shape(all), at, [ &
                address('mer_array_scatter', array, all(size(all, 1), 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, size(all, 2), 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, size(all, 3), 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, size(all, 4)))])
        end if
        call c_scatter(array%handle, at, int(root, c_int))
    end subroutine

    subroutine scatter_5(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(in), target :: all(:, :, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_scatter', array, shape(all))
            at = address('mer_array_scatter', array, all(1, 1, 1, 1, 1))
            call expect_contiguous('mer_array_scatter', array, shape(all), at, [ &
                address('mer_array_scatter', array, all(size(all, 1), 1, 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, size(all, 2), 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, size(all, 3), 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, size(all, 4), 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, 1, size(all, 5)))])
        end if
        call c_scatter(array%handle, at, int(root, c_int))
    end subroutine

    subroutine scatter_6(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(in), target :: all(:, :, :, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_scatter', array, shape(all))
            at = address('mer_array_scatter', array, all(1, 1, 1, 1, 1, 1))
            call expect_contiguous('mer_array_scatter', array, shape(all), at, [ &
                address('mer_array_scatter', array, all(size(all, 1), 1, 1, 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, size(all, 2), 1, 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, size(all, 3), 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, size(all, 4), 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, 1, size(all, 5), 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, 1, 1, size(all, 6)))])
        end if
        call c_scatter(array%handle, at, int(root, c_int))
    end subroutine

    subroutine scatter_7(array, all, root)
        type(dist_array), intent(in) :: array
        class(*), intent(in), target :: all(:, :, :, :, :, :, :)
        integer, intent(in) :: root
        type(c_ptr) :: at
        at = c_null_ptr
        if (root == this_thread()) then
            call expect_shape('mer_array_scatter', array, shape(all))
            at = address('mer_array_scatter', array, all(1, 1, 1, 1, 1, 1, 1))
            call expect_contiguous('mer_array_scatter', array, shape(all), at, [ &
                address('mer_array_scatter', array, all(size(all, 1), 1, 1, 1, 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, size(all, 2), 1, 1, 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, size(all, 3), 1, 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, size(all, 4), 1, 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, 1, size(all, 5), 1, 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, 1, 1, size(all, 6), 1)), &
                address('mer_array_scatter', array, all(1, 1, 1, 1, 1, 1, size(all, 7)))])
        end if
        call c_scatter(array%handle, at, int(root, c_int))
    end subroutine

    ! Checks that the whole array on one thread has the shape, or as many elements in another rank.
    subroutine expect_shape(call, array, extents)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: array
        integer, intent(in) :: extents(:)
        type(c_info) :: info
        logical :: fits
        call expect_created(call, array)
        info = describe(array)
        fits = product(int(extents, c_long)) == product(info%extent(1:info%rank))
        if (size(extents) == info%rank .and. fits) fits = all(extents == info%extent(1:info%rank))
        call expect(call, fits, "the Fortran array has not the shape of `" // text_of(info%name) // "'")
    end subroutine

    ! Checks that an array is contiguous, by the address of the last element along each axis, which has at least one.
    ! Compilers differ in the result of is_contiguous for class(*), and in copying a section for `contiguous'.
    subroutine expect_contiguous(call, array, extents, first, last)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: array
        integer, intent(in) :: extents(:)
        type(c_ptr), intent(in) :: first, last(:)
        type(c_info) :: info
        integer(c_intptr_t) :: bytes
        integer :: k
        info = describe(array)
        bytes = int(info%size, c_intptr_t)
        do k = 1, size(extents)
            call expect(call, transfer(last(k), bytes) - transfer(first, bytes) == (extents(k) - 1) * bytes, &
                "the Fortran array for `" // text_of(info%name) // "' is not contiguous: give a copy of the section")
            bytes = bytes * extents(k)
        end do
    end subroutine

    function address(call, array, element) result(at)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: array
        class(*), target :: element
        type(c_ptr) :: at
        at = typed_address(call, 'the Fortran array', array, element)
    end function

    function value_address(call, array, value) result(at)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: array
        class(*), target :: value
        type(c_ptr) :: at
        at = typed_address(call, 'the value', array, value)
    end function

    ! Returns the address of an element, and checks that it has the array's element type; `what' names the object for
    ! messages.  Quads need c_loc.
    function typed_address(call, what, array, element) result(at)
        character(*), intent(in) :: call, what
        type(dist_array), intent(in) :: array
        class(*), target :: element
        type(c_ptr) :: at
        type(c_info) :: info
        integer(c_int) :: kind
        kind = 0
        at = c_null_ptr
        select type (element)
        type is (integer(c_int8_t))
            kind = mer_int8
            at = c_loc(element)
        type is (integer(c_int16_t))
            kind = mer_int16
            at = c_loc(element)
        type is (integer(c_int32_t))
            kind = mer_int32
            at = c_loc(element)
        type is (integer(c_int64_t))
            kind = mer_int64
            at = c_loc(element)
        type is (real(c_float))
            kind = mer_float32
            at = c_loc(element)
        type is (real(c_double))
            kind = mer_float64
            at = c_loc(element)
        type is (complex(c_float_complex))
            kind = mer_complex64
            at = c_loc(element)
        type is (complex(c_double_complex))
            kind = mer_complex128
            at = c_loc(element)
        end select
        call expect_created(call, array)
        info = describe(array)
        if (kind == 0) call refuse(call, what // " for `" // text_of(info%name) // &
            "' is of a type that goes by c_loc only")
        if (kind /= signed_kind(info%kind)) call refuse(call, what // ' is of ' // text_of(c_type_name(kind)) // &
            ", the array `" // text_of(info%name) // "' of " // text_of(c_type_name(info%kind)))
    end function

    subroutine redistribute(to, from)
        type(dist_array), intent(in) :: to, from
        call c_copy(to%handle, from%handle)
    end subroutine

    function save_npy(array, path) result(error)
        type(dist_array), intent(in) :: array
        character(*), intent(in) :: path
        integer :: error
        error = c_save(array%handle, trim(path) // c_null_char)
    end function

    function load_npy(array, path) result(error)
        type(dist_array), intent(in) :: array
        character(*), intent(in) :: path
        integer :: error
        error = c_load(array%handle, trim(path) // c_null_char)
    end function

    ! Save and load a dataset of an HDF5 file, with dimensions as in HDF5's Fortran interface; order=0: as in h5py.
    function save_hdf5(array, path, name, order) result(error)
        type(dist_array), intent(in) :: array
        character(*), intent(in) :: path, name
        integer, intent(in), optional :: order
        integer :: error
        error = c_save_hdf5(array%handle, trim(path) // c_null_char, trim(name) // c_null_char, order_of(order))
    end function

    function load_hdf5(array, path, name, order) result(error)
        type(dist_array), intent(in) :: array
        character(*), intent(in) :: path, name
        integer, intent(in), optional :: order
        integer :: error
        error = c_load_hdf5(array%handle, trim(path) // c_null_char, trim(name) // c_null_char, order_of(order))
    end function

    function order_of(order) result(c_order)
        integer, intent(in), optional :: order
        integer(c_int) :: c_order
        c_order = 1
        if (present(order)) c_order = int(order, c_int)
    end function

    ! ---- this process's part ----

    function describe(array) result(info)
        type(dist_array), intent(in) :: array
        type(c_info) :: info
        call c_describe(array%handle, c_thread(), info)
    end function

    function rank_of(call, array) result(rank)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: array
        integer :: rank
        type(c_info) :: info
        call expect_created(call, array)
        info = describe(array)
        rank = info%rank
    end function

    ! Returns the address of the part's memory, including halo and padding; local_shape returns its extents.
    function local(array) result(at)
        type(dist_array), intent(in) :: array
        type(c_ptr) :: at
        type(c_info) :: info
        integer(c_intptr_t) :: address
        integer :: k
        info = describe(array)
        at = info%local
        if (.not. c_associated(at)) return
        address = transfer(at, address)
        do k = 1, info%rank
            address = address - info%stride(k) * info%halo(k)
        end do
        at = transfer(address, at)
    end function

    function local_shape(array) result(extents)
        type(dist_array), intent(in) :: array
        integer, allocatable :: extents(:)
        type(c_info) :: info
        info = describe(array)
        extents = int(info%block(1:info%rank)) + 2 * info%halo(1:info%rank)
    end function

    ! Return the index, from 1 on, of the part's first element, and the number of valid elements along each axis.
    function local_first(array) result(first)
        type(dist_array), intent(in) :: array
        integer, allocatable :: first(:)
        type(c_info) :: info
        info = describe(array)
        first = int(info%first(1:info%rank)) + 1
    end function

    function local_count(array) result(count)
        type(dist_array), intent(in) :: array
        integer, allocatable :: count(:)
        type(c_info) :: info
        info = describe(array)
        count = int(info%count(1:info%rank))
    end function

    ! Returns the thread, from 0 on, that has the element with this index.
    function owner_of(array, index) result(thread)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: index(:)
        integer :: thread
        call expect_axes('mer_array_owner', 'index', size(index), rank_of('mer_array_owner', array))
        thread = c_owner(array%handle, int(index, c_long) - 1)
    end function

    ! Returns, for each element of this process's block without the halo, .true. if it is an element of the array,
    ! .false. if it is padding.  The order is that of memory, so that reshape gives the mask the block's shape, which is
    ! local_shape without a halo.
    function mask_of(array) result(mask)
        type(dist_array), intent(in) :: array
        logical, allocatable :: mask(:)
        integer(c_int8_t), allocatable :: bytes(:)
        type(c_info) :: info
        call expect_created('mer_array_mask', array)
        info = describe(array)
        allocate (bytes(product(info%block(1:info%rank))))
        call c_mask(array%handle, bytes)
        mask = bytes /= 0
    end function

    ! Write the descriptor as text, or the owners of elements as text or as SVG, to a formatted unit or to standard
    ! output.
    subroutine print_array(array, unit)
        type(dist_array), intent(in) :: array
        integer, intent(in), optional :: unit
        call write_lines('mer_array_print', array, unit)
    end subroutine

    subroutine draw_array(array, unit)
        type(dist_array), intent(in) :: array
        integer, intent(in), optional :: unit
        call write_lines('mer_array_draw', array, unit)
    end subroutine

    subroutine svg_array(array, unit)
        type(dist_array), intent(in) :: array
        integer, intent(in), optional :: unit
        call write_lines('mer_array_svg', array, unit)
    end subroutine

    ! Writes the output of this C function.
    subroutine write_lines(call, array, unit)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: array
        integer, intent(in), optional :: unit
        type(c_ptr), target :: memory
        integer(c_size_t), target :: length
        type(c_ptr) :: file
        character(:), allocatable :: text
        integer :: first, last, to
        call expect_created(call, array)
        file = c_memory_stream(c_loc(memory), c_loc(length))
        call expect(call, c_associated(file), 'no memory for the text')
        select case (call)
        case ('mer_array_print')
            call c_print(array%handle, file)
        case ('mer_array_draw')
            call c_draw(array%handle, file)
        case default
            call c_svg(array%handle, file)
        end select
        call expect(call, c_close(file) == 0, 'no memory for the text')
        text = text_of(memory)
        call c_release(memory)
        to = output_unit
        if (present(unit)) to = unit
        first = 1
        do while (first <= len(text))
            last = index(text(first:), new_line(text))
            if (last == 0) last = len(text) - first + 2
            write (to, '(a)') text(first:first + last - 2)
            first = first + last
        end do
    end subroutine

    function this_thread() result(n)
        integer :: n
        n = c_thread()
    end function

    function threads() result(n)
        integer :: n
        n = c_threads()
    end function

    subroutine barrier()
        call c_barrier()
    end subroutine

    ! ---- shifts ----

    function shift_circular(array, shift, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_cshift_kind, dim)
    end function

    ! Sets all components except the boundary.
    subroutine begin(s, array, shift, kind, dim)
        type(dist_shift), intent(out) :: s
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int), intent(in) :: kind
        integer, intent(in), optional :: dim
        s%array = array%handle
        s%shift%distance = shift
        s%shift%kind = kind
        s%shift%axis = 0
        if (present(dim)) s%shift%axis = dim - 1
    end subroutine

    ! An end-off shift without a boundary; programs have no variable of this boundary type.
    function end_off_zero(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        type(no_boundary), intent(in), optional :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_0, dim)
        if (present(boundary)) s%shift%boundary = c_null_ptr
    end function

    function end_off_array(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        type(dist_array), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_array, dim)
        s%shift%boundary = boundary%handle
    end function

    ! An end-off shift whose boundary value is at an address, and has the array's type.
    function end_off_at(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        type(c_ptr), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        call take_value(s%shift, s%array, boundary)
    end function

    subroutine take_value(shift, array, boundary)
        type(one_shift), intent(inout) :: shift
        type(c_ptr), intent(in) :: array, boundary
        type(c_info) :: info
        integer(c_int8_t), pointer :: bytes(:)
        integer(c_int8_t) :: value(32)
        call expect('mer_eoshift', c_associated(boundary), 'the boundary is a null pointer')
        if (.not. c_associated(array)) return ! the assignment refuses that
        call c_describe(array, c_thread(), info)
        call c_f_pointer(boundary, bytes, [info%size])
        value = 0
        value(1:info%size) = bytes
        shift%scalar = transfer(value, shift%scalar)
        shift%scalar_kind = signed_kind(info%kind)
    end subroutine

    function end_off_int8(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int8_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_int8
        s%shift%scalar(1) = transfer(spread(boundary, 1, 8), 0_c_int64_t)
    end function

    function end_off_int16(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int16_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_int16
        s%shift%scalar(1) = transfer([boundary, boundary, boundary, boundary], 0_c_int64_t)
    end function

    function end_off_int32(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int32_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_int32
        s%shift%scalar(1) = transfer([boundary, boundary], 0_c_int64_t)
    end function

    function end_off_int64(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int64_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_int64
        s%shift%scalar(1) = transfer(boundary, 0_c_int64_t)
    end function

    function end_off_real32(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        real(c_float), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_float32
        s%shift%scalar(1) = transfer([boundary, boundary], 0_c_int64_t)
    end function

    function end_off_real64(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        real(c_double), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_float64
        s%shift%scalar(1) = transfer(boundary, 0_c_int64_t)
    end function

    function end_off_complex64(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        complex(c_float_complex), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_complex64
        s%shift%scalar(1) = transfer(boundary, 0_c_int64_t)
    end function

    function end_off_complex128(array, shift, boundary, dim) result(s)
        type(dist_array), intent(in) :: array
        integer, intent(in) :: shift
        complex(c_double_complex), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shift) :: s
        call begin(s, array, shift, mer_eoshift_scalar, dim)
        s%shift%scalar_kind = mer_complex128
        s%shift%scalar(1) = transfer(real(boundary), 0_c_int64_t)
        s%shift%scalar(2) = transfer(aimag(boundary), 0_c_int64_t)
    end function

    ! Returns a shift of a shift: the inner shifts, followed by the outer one, which has no array yet.
    function around(inner, outer) result(s)
        class(pending), intent(in) :: inner
        type(dist_shift), intent(in) :: outer
        type(dist_shifts) :: s
        select type (inner)
        type is (dist_shift)
            s%array = inner%array
            s%shifts = 1
            s%shift(1) = inner%shift
        type is (dist_shifts)
            s%array = inner%array
            s%shifts = inner%shifts
            s%shift(1:s%shifts) = inner%shift(1:s%shifts)
        end select
        if (s%shifts == most_shifts) call refuse(call_of(outer%shift%kind), 'more than ' // decimal(most_shifts) // &
            ' shifts stand within one another; assign some to an array first')
        s%shifts = s%shifts + 1
        s%shift(s%shifts) = outer%shift
    end function

    function around_circular(array, shift, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, shift_circular(dist_array(), shift, dim))
    end function

    function around_zero(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        type(no_boundary), intent(in), optional :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_zero(dist_array(), shift, boundary, dim))
    end function

    function around_array(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        type(dist_array), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_array(dist_array(), shift, boundary, dim))
    end function

    function around_at(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        type(c_ptr), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        type(dist_shift) :: outer
        call begin(outer, dist_array(), shift, mer_eoshift_scalar, dim)
        s = around(array, outer)
        call take_value(s%shift(s%shifts), s%array, boundary)
    end function

    function around_int8(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int8_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_int8(dist_array(), shift, boundary, dim))
    end function

    function around_int16(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int16_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_int16(dist_array(), shift, boundary, dim))
    end function

    function around_int32(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int32_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_int32(dist_array(), shift, boundary, dim))
    end function

    function around_int64(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        integer(c_int64_t), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_int64(dist_array(), shift, boundary, dim))
    end function

    function around_real32(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        real(c_float), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_real32(dist_array(), shift, boundary, dim))
    end function

    function around_real64(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        real(c_double), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_real64(dist_array(), shift, boundary, dim))
    end function

    function around_complex64(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        complex(c_float_complex), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_complex64(dist_array(), shift, boundary, dim))
    end function

    function around_complex128(array, shift, boundary, dim) result(s)
        class(pending), intent(in) :: array
        integer, intent(in) :: shift
        complex(c_double_complex), intent(in) :: boundary
        integer, intent(in), optional :: dim
        type(dist_shifts) :: s
        s = around(array, end_off_complex128(dist_array(), shift, boundary, dim))
    end function

    subroutine do_shift(result, s)
        type(dist_array), intent(inout) :: result
        type(dist_shift), intent(in) :: s
        call do_one_shift(result%handle, s%array, s%shift)
    end subroutine

    ! Performs the shifts: the first from the array to the result, the others within the result.
    subroutine do_shifts(result, s)
        type(dist_array), intent(inout) :: result
        type(dist_shifts), intent(in) :: s
        type(c_ptr) :: from
        integer :: i
        from = s%array
        do i = 1, s%shifts
            call do_one_shift(result%handle, from, s%shift(i))
            from = result%handle
        end do
    end subroutine

    subroutine do_one_shift(to, from, shift)
        type(c_ptr), intent(in) :: to, from
        type(one_shift), intent(in), target :: shift
        if (shift%kind == mer_cshift_kind) then
            call c_cshift(to, from, shift%distance, shift%axis)
        else if (shift%kind == mer_eoshift_array) then
            call c_eoshift(to, from, shift%distance, shift%kind, shift%boundary, shift%axis)
        else
            if (shift%kind == mer_eoshift_scalar) call expect_kind(from, shift%scalar_kind)
            call c_eoshift(to, from, shift%distance, shift%kind, c_loc(shift%scalar), shift%axis)
        end if
    end subroutine

    function call_of(kind) result(call)
        integer(c_int), intent(in) :: kind
        character(:), allocatable :: call
        call = trim(merge('mer_cshift ', 'mer_eoshift', kind == mer_cshift_kind))
    end function

    ! Returns the type of a Fortran variable for elements of this type: Fortran has no unsigned integers.
    function signed_kind(kind) result(signed)
        integer(c_int), intent(in) :: kind
        integer(c_int) :: signed
        signed = kind
        if (kind >= mer_uint8 .and. kind <= mer_uint64) signed = kind - mer_uint8 + mer_int8
    end function

    subroutine expect_kind(array, scalar_kind)
        type(c_ptr), intent(in) :: array
        integer(c_int), intent(in) :: scalar_kind
        type(c_info) :: info
        if (.not. c_associated(array)) return
        if (signed_kind(c_kind(array)) == scalar_kind) return
        call c_describe(array, c_thread(), info)
        call refuse('mer_eoshift', 'the boundary is of ' // &
            text_of(c_type_name(scalar_kind)) // ', the array `' // text_of(info%name) // "' of " // &
            text_of(c_type_name(info%kind)))
    end subroutine

    ! mer_shift(kind, dim, distance) with a distance of the default kind.
    function shift_by_default_integer(kind, dim, distance, boundary) result(s)
        integer, intent(in) :: kind, dim, distance
        type(dist_array), intent(in), optional :: boundary
        type(mer_shift) :: s
        s%kind = kind
        s%dim = dim
        s%distance = distance
        if (present(boundary)) s%boundary = boundary
    end function

    function pshift_setup(prototype, shifts) result(id)
        type(dist_array), intent(in) :: prototype
        type(mer_shift), intent(in) :: shifts(:)
        integer :: id
        type(c_shift) :: list(size(shifts))
        integer :: i
        do i = 1, size(shifts)
            list(i) = c_shift(shifts(i)%kind, shifts(i)%dim - 1, shifts(i)%distance, shifts(i)%boundary%handle)
        end do
        id = c_setup(prototype%handle, size(shifts, kind=c_int), list)
    end function

    ! values(i): the boundary of shift i of kind mer_eoshift_scalar.  boundary(i): the handle of the array for kind
    ! mer_eoshift_array, or c_loc of a value, which takes precedence over values(i).  Boundaries of other kinds are
    ! ignored.
    subroutine pshift(id, results, sources, boundary, values)
        integer, intent(in) :: id
        type(dist_array), intent(in) :: results(:), sources(:)
        type(c_ptr), intent(in), optional :: boundary(:)
        class(*), intent(in), target, optional :: values(:)
        type(c_ptr) :: list(size(sources)), to(size(results)), from(size(sources))
        call expect_count('mer_pshift', id, size(results), size(sources), boundary, values)
        list = boundaries('mer_pshift', results, size(sources), boundary, values)
        to = results%handle
        from = sources%handle
        call c_pshift(int(id, c_int), to, from, list)
    end subroutine

    ! The values are not needed after the call.
    subroutine pshift_start(id, results, sources, boundary, values)
        integer, intent(in) :: id
        type(dist_array), intent(in) :: results(:), sources(:)
        type(c_ptr), intent(in), optional :: boundary(:)
        class(*), intent(in), target, optional :: values(:)
        type(c_ptr) :: list(size(sources)), to(size(results)), from(size(sources))
        call expect_count('mer_pshift_start', id, size(results), size(sources), boundary, values)
        list = boundaries('mer_pshift_start', results, size(sources), boundary, values)
        to = results%handle
        from = sources%handle
        call c_start(int(id, c_int), to, from, list)
    end subroutine

    ! Checks that there are as many results and sources as shifts, and not more boundaries.
    subroutine expect_count(call, id, results, sources, boundary, values)
        character(*), intent(in) :: call
        integer, intent(in) :: id, results, sources
        type(c_ptr), intent(in), optional :: boundary(:)
        class(*), intent(in), optional :: values(:)
        integer :: n
        n = c_count(int(id, c_int))
        if (n == 0) return
        call expect(call, results == n, 'set-up ' // decimal(id) // ' has ' // decimal(n) // &
            ' shifts, but the number of results is ' // decimal(results))
        call expect(call, sources == n, 'set-up ' // decimal(id) // ' has ' // decimal(n) // &
            ' shifts, but the number of sources is ' // decimal(sources))
        if (present(values)) call expect(call, size(values) == n, 'set-up ' // decimal(id) // ' has ' // &
            decimal(n) // ' shifts, but the number of values is ' // decimal(size(values)))
        if (.not. present(boundary)) return
        call expect(call, size(boundary) <= n, 'set-up ' // decimal(id) // ' has ' // decimal(n) // &
            ' shifts, but the number of boundaries is ' // decimal(size(boundary)))
    end subroutine

    function boundaries(call, results, n, boundary, values) result(list)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: results(:)
        integer, intent(in) :: n
        type(c_ptr), intent(in), optional :: boundary(:)
        class(*), intent(in), target, optional :: values(:)
        type(c_ptr) :: list(n)
        integer :: i
        list = c_null_ptr
        if (present(values)) then
            do i = 1, min(n, size(values))
                list(i) = value_address(call, results(i), values(i))
            end do
        end if
        if (.not. present(boundary)) return
        do i = 1, min(n, size(boundary))
            if (c_associated(boundary(i))) list(i) = boundary(i)
        end do
    end function

    subroutine pshift_finish(id)
        integer, intent(in) :: id
        call c_finish(int(id, c_int))
    end subroutine

    subroutine pshift_free(id)
        integer, intent(in) :: id
        call c_unset(int(id, c_int))
    end subroutine

    ! ---- checks for mistakes that C does not detect ----

    subroutine refuse(call, what)
        character(*), intent(in) :: call, what
        call c_refuse(call // c_null_char, what // c_null_char)
    end subroutine

    subroutine expect(call, right, what)
        character(*), intent(in) :: call, what
        logical, intent(in) :: right
        if (.not. right) call refuse(call, what)
    end subroutine

    subroutine expect_created(call, array)
        character(*), intent(in) :: call
        type(dist_array), intent(in) :: array
        call expect(call, c_associated(array%handle), 'the array is a null pointer: it has not been created, or ' // &
            'has been freed')
    end subroutine

    ! Checks that there is one number for each axis.
    subroutine expect_axes(call, what, n, axes)
        character(*), intent(in) :: call, what
        integer, intent(in) :: n, axes
        call expect(call, n == axes, what // ' has ' // decimal(n) // ' numbers for ' // decimal(axes) // ' axes')
    end subroutine

    function decimal(n) result(text)
        integer, intent(in) :: n
        character(:), allocatable :: text
        character(12) :: wide
        write (wide, '(i0)') n
        text = trim(wide)
    end function

    function text_of(c_text) result(text)
        type(c_ptr), intent(in) :: c_text
        character(:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer :: i
        call c_f_pointer(c_text, letters, [c_length(c_text)])
        allocate (character(size(letters)) :: text)
        do i = 1, size(letters)
            text(i:i) = letters(i)
        end do
    end function

    ! ---- stencils ----

    ! Creates a stencil from one of: terms; rows, c_funloc of a function with bind(C) and the interface of
    ! mer_stencil_rows, which computes n elements that follow each other in memory, with its reach in radius; or a kernel
    ! (`meridian stencil').
    ! face(side, axis): side 1 is at the first index, side 2 at the last; without it all faces are periodic.
    ! reassociate: the terms may be added in any order, which is faster with many terms (meridian/stencil.h).
    subroutine create_stencil(s, prototype, terms, rows, radius, face, steps, context, kernel, reassociate)
        type(stencil), intent(out) :: s
        type(dist_array), intent(in) :: prototype
        type(mer_term), intent(in), target, optional :: terms(:)
        type(c_funptr), intent(in), optional :: rows
        integer, intent(in), optional :: radius(:), steps
        type(mer_face), intent(in), optional :: face(:, :)
        type(c_ptr), intent(in), optional :: context, kernel
        logical, intent(in), optional :: reassociate
        type(mer_term), allocatable, target :: list(:)
        type(c_stencil_spec) :: spec
        integer :: rank
        if (present(terms)) then
            list = terms
            spec%terms = size(terms, kind=c_int)
            spec%term = c_loc(list)
        end if
        if (present(rows)) spec%rows = rows
        if (present(context)) spec%context = context
        if (present(kernel)) spec%kernel = kernel
        rank = rank_of('mer_stencil_create', prototype)
        if (present(radius)) call expect_axes('mer_stencil_create', 'radius', size(radius), rank)
        if (present(face)) call expect_axes('mer_stencil_create', 'face', size(face, 2), rank)
        if (present(face)) call expect('mer_stencil_create', size(face, 1) == 2, 'face has to have two sides')
        if (present(radius)) spec%radius(1:size(radius)) = radius
        if (present(steps)) spec%steps = steps
        if (present(reassociate)) spec%reassociate = merge(1_c_int, 0_c_int, reassociate)
        if (present(face)) spec%face(:, 1:size(face, 2)) = face
        s%handle = c_stencil_create(prototype%handle, spec)
    end subroutine

    ! Computes `steps' steps.  Afterwards u is the newest level, and old the one before it: the handles may be swapped.
    subroutine run_stencil(s, u, old, steps)
        type(stencil), intent(in) :: s
        type(dist_array), intent(inout) :: u, old
        integer, intent(in) :: steps
        type(c_ptr) :: newest
        newest = c_stencil_run(s%handle, u%handle, old%handle, int(steps, c_long))
        if (.not. c_associated(newest, u%handle)) then
            old%handle = u%handle
            u%handle = newest
        end if
    end subroutine

    ! Updates the halo of u, including the faces, for programs that compute on the array themselves.
    subroutine fetch_halo(s, u)
        type(stencil), intent(in) :: s
        type(dist_array), intent(in) :: u
        call c_stencil_fetch(s%handle, u%handle)
    end subroutine

    ! The same in two calls, between which the program computes elements that need no halo, into other arrays.
    subroutine fetch_halo_start(s, u)
        type(stencil), intent(in) :: s
        type(dist_array), intent(in) :: u
        call c_stencil_fetch_start(s%handle, u%handle)
    end subroutine

    subroutine fetch_halo_finish(s)
        type(stencil), intent(in) :: s
        call c_stencil_fetch_finish(s%handle)
    end subroutine

    subroutine destroy_stencil(s)
        type(stencil), intent(inout) :: s
        call c_stencil_free(s%handle)
        s%handle = c_null_ptr
    end subroutine
end module
