! The peer Fortran: coarrays. It measures itself as the other peers do (measure.h), by rounds over all points.
program peers
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: most = 1048576, group = 64, sizes(4) = [8, 1024, 65536, 1048576]
  integer(int64), allocatable :: memory(:)[:], local(:)
  integer(int64), save :: chosen[*]
  integer :: rounds, wanted, round, size, kind, last, last_kind
  integer(int64) :: turns(4, 4)
  character(len=32) :: text
  character(len=*), parameter :: names(4) = [character(len=15) :: &
    'get', 'put', 'get, 64 at once', 'put, 64 at once']
  allocate (memory(most / 8)[*], local(most / 8))
  memory = 0
  local = 0
  last = num_images()
  call get_command_argument(2, text)
  read (text, *) rounds
  call get_command_argument(3, text)
  read (text, *) wanted
  do round = -1, rounds - 1
    do size = 1, 4
      last_kind = merge(4, 2, sizes(size) <= 1024)
      do kind = 1, last_kind
        if (round < 0) then
          call calibrate(turns(size, kind))
        else
          call sample(turns(size, kind), .true.)
        end if
      end do
    end do
  end do
contains
  subroutine run(count)
    integer(int64), intent(in) :: count
    integer(int64) :: turn
    integer :: i, words
    words = sizes(size) / 8
    do turn = 1, count
      select case (kind)
      case (1)
        local(1:words) = memory(1:words)[last]
      case (2)
        memory(1:words)[last] = local(1:words)
        sync memory
      case (3)
        do i = 0, group - 1
          local(i * words + 1:(i + 1) * words) = memory(i * words + 1:(i + 1) * words)[last]
        end do
      case (4)
        do i = 0, group - 1
          memory(i * words + 1:(i + 1) * words)[last] = local(i * words + 1:(i + 1) * words)
        end do
        sync memory
      end select
    end do
  end subroutine run

  function took(count) result(ns)
    integer(int64), intent(in) :: count
    real(real64) :: ns
    integer(int64) :: begin, end, rate
    ns = 0
    if (this_image() == 1) then
      call run(1_int64)
      call system_clock(begin, rate)
      call run(count)
      call system_clock(end)
      ns = real(end - begin, real64) / real(rate, real64) * 1e9_real64
    end if
    sync all
  end function took

  subroutine calibrate(count)
    integer(int64), intent(out) :: count
    real(real64) :: ns
    count = 1
    do
      ns = took(count)
      if (this_image() == 1) then
        chosen = 2 * count
        if (ns >= wanted / 4) chosen = -(int(real(count, real64) * wanted / ns, int64) + 1)
      end if
      sync all
      count = chosen[1]
      sync all
      if (count < 0) exit
    end do
    count = -count
  end subroutine calibrate

  subroutine sample(count, print_it)
    integer(int64), intent(in) :: count
    logical, intent(in) :: print_it
    real(real64) :: ns
    ns = took(count) / real(count, real64)
    if (kind > 2) ns = ns / group
    if (print_it .and. this_image() == 1) then
      write (*, '(3a,i0,a,i0,a,es16.8,a)') '{"part":"peers","series":"', trim(names(kind)), &
        '","what":"time","bytes":', sizes(size), ',"round":', round, ',"ns":', ns, '}'
    end if
  end subroutine sample
end program peers
