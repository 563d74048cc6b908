! A mistake, named by the argument: the library reports it, and ends the job.
program mistakes
    use meridian_arrays
    use, intrinsic :: iso_c_binding
    implicit none
    type(dist_array) :: u, v, w
    character(20) :: mistake
    integer :: id, number
    real(8), target :: value
    real(4) :: single(8, 8)
    real(8) :: wide(16, 8), odd(4, 8)
    number = 0
    value = 0
    single = 0
    wide = 0
    odd = 0
    call get_command_argument(1, mistake)
    call create(u, mer_float64, [8, 8], name='u')
    call create(v, like=u, name='v')
    id = pshift_setup(u, [mer_shift(mer_cshift_kind, 2, 1_c_long, dist_array())])
    select case (mistake)
    case ('shape')
        call create(w, mer_float64, [8, 9], name='w')
        w = cshift(u, 1, dim=1)
    case ('type')
        call create(w, mer_float32, [8, 8], name='w')
        w = cshift(u, 1, dim=1)
    case ('layout')
        call create(w, mer_float64, [8, 8], name='w', serial=[.true., .false.])
        w = cshift(u, 1, dim=1)
    case ('set-up')
        call create(w, mer_float64, [9, 8], name='w')
        call pshift(id, [w], [u])
    case ('freed')
        call pshift_free(id)
        call pshift(id, [v], [u])
    case ('freed-array')
        call destroy(v)
        v = cshift(u, 1, dim=1)
    case ('boundary')
        v = eoshift(u, 1, u, 1)
    case ('nested')
        v = eoshift(&
            cshift(cshift(cshift(cshift(cshift(cshift(cshift(cshift(&
            cshift(cshift(cshift(cshift(cshift(cshift(cshift(cshift(u, 1), &
            1), 1), 1), 1), 1), 1), 1), 1), 1), 1), 1), 1), 1), 1), 1), 1)
    case ('axis')
        v = cshift(u, 1, dim=3)
    case ('calls')
        if (this_thread() == 0) then
            v = cshift(u, 1, dim=2)
        else
            call pshift(id, [v], [u])
        end if
    case ('value')
        v = eoshift(u, 1, boundary=1, dim=1)
    case ('results')
        call pshift(id, [v, u], [u])
    case ('sources')
        call pshift(id, [v], [u, u])
    case ('boundaries')
        call pshift(id, [v], [u], [c_null_ptr, c_null_ptr])
    case ('axes')
        call create(w, mer_float64, [8, 8], name='w', halo=[1])
    case ('values')
        call pshift(id, [v], [u], values=[1d0, 2d0])
    case ('value-type')
        call pshift(id, [v], [u], values=[1])
    case ('index')
        call get(u, [1], c_null_ptr)
    case ('get-type')
        call get(u, [1, 1], number)
    case ('get-index')
        call get(u, [9, 1], value)
    case ('put-index')
        call put(u, [1, 1, 1], 1d0)
    case ('put-type')
        call put(u, [1, 1], 1.0)
    case ('put-freed')
        call destroy(v)
        call put(v, [1, 1], 1d0)
    case ('get-freed')
        call destroy(v)
        call get(v, [1, 1], c_loc(value))
    case ('fill-type')
        call fill(u, (1d0, 0d0))
    case ('fill-freed')
        call destroy(v)
        call fill(v, 1d0)
    case ('element')
        call scatter(u, single, 1)
    case ('elements')
        call gather(u, odd, 0)
    case ('section')
        call gather(u, wide(1:16:2, :), 0)
    case ('backwards')
        call scatter(u, wide(8:1:-1, :), 0)
    case ('sum')
        call create(w, mer_complex128, [8], name='w')
        value = sum(w)
    case ('sum-freed')
        call destroy(v)
        value = sum(v)
    case ('boundary-null')
        v = eoshift(u, 1, c_null_ptr, 1)
    case ('owner')
        id = owner_of(u, [9, 1])
    case ('memory')
        call create(w, mer_float64, [2097152, 2097152], name='huge')
    end select
end program
