//! The system calls that need `unsafe`. Nothing else in this crate does.
#![expect(
    unsafe_code,
    reason = "fork, exec, wait4 and signal dispositions have no safe form"
)]

use std::ffi::{CString, c_char, c_int};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use execgate_keeper::Usage;
use rustix::io::Errno;
use rustix::process::Pid;

/// Where the handler of `SIGCHLD` writes; -1 until [`watch_children`].
static CHILD_PIPE: AtomicI32 = AtomicI32::new(-1);

/// A reaped child.
pub struct Reaped {
    pub pid: Pid,
    /// As wait(2) gives it.
    pub status: i32,
    pub usage: Usage,
}

/// Splits the process. `None` is the child. This program has one thread, so the child may do what any program may.
pub fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: single-threaded, so no lock of another thread can be held in the child.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// Ends a forked child without running the parent's destructors.
pub fn leave(code: c_int) -> ! {
    // SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(code) }
}

/// Becomes another program; returns only the reason why not.
pub fn execute(program: &CString, arguments: &[CString], environment: &[CString]) -> Errno {
    let arguments = pointers(arguments);
    let environment = pointers(environment);
    // SAFETY: all three point to NUL-terminated strings, and both arrays end with a null pointer and outlive the call.
    unsafe { libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    last_errno()
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    let pointers = strings.iter().map(|string| string.as_ptr());
    pointers.chain([std::ptr::null()]).collect()
}

/// Gives every signal its default meaning and unblocks all of them.
pub fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: SIG_DFL is valid for every signal; numbers that are none are refused by the kernel.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    reset_reserved_signals();
    // SAFETY: the set is initialised by `sigemptyset` before it is used.
    unsafe {
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// The C library keeps 32 and 33 for itself and refuses to touch them, but a parent that ignored them passes that on.
#[cfg(target_os = "linux")]
fn reset_reserved_signals() {
    // Handler (SIG_DFL is 0), flags, restorer and mask, in whatever order this architecture has them.
    let default = [0_u64; 4];
    for signal in [32, 33] {
        // SAFETY: the kernel reads an action of at most four words; the old one is not asked for.
        unsafe {
            let none = std::ptr::null_mut::<u64>();
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default.as_ptr(),
                none,
                size_of::<u64>(),
            );
        }
    }
}

/// There are no such signals here.
#[cfg(not(target_os = "linux"))]
fn reset_reserved_signals() {}

/// Ignores the signals by which a terminal, a closing session or a vanished reader would end this program.
pub fn ignore_endings() {
    for signal in [
        libc::SIGINT,
        libc::SIGHUP,
        libc::SIGTERM,
        libc::SIGQUIT,
        libc::SIGPIPE,
    ] {
        // SAFETY: SIG_IGN is valid for these signals.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Makes every `SIGCHLD` write a byte to `pipe`, which must be non-blocking and stays open for the life of the program.
pub fn watch_children(pipe: OwnedFd) -> io::Result<()> {
    CHILD_PIPE.store(pipe.into_raw_fd(), Ordering::Relaxed);
    // SAFETY: the action is initialised in full; the handler calls only `write`, which is async-signal-safe.
    let result = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_child as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART | libc::SA_NOCLDSTOP;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGCHLD, &raw const action, std::ptr::null_mut())
    };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

extern "C" fn on_child(_signal: c_int) {
    let byte = [1_u8];
    // SAFETY: writes one byte of a live buffer and puts `errno` back; a full pipe already says what there is to say.
    unsafe {
        let errno = errno_place();
        let before = *errno;
        libc::write(CHILD_PIPE.load(Ordering::Relaxed), byte.as_ptr().cast(), 1);
        *errno = before;
    }
}

/// Returns the address of this thread's `errno`.
fn errno_place() -> *mut c_int {
    #[cfg(any(target_os = "macos", target_os = "ios", target_os = "freebsd"))]
    // SAFETY: always a valid address.
    unsafe {
        libc::__error()
    }
    #[cfg(not(any(target_os = "macos", target_os = "ios", target_os = "freebsd")))]
    // SAFETY: always a valid address.
    unsafe {
        libc::__errno_location()
    }
}

/// Reaps one ended child, or an orphan that became one; `None` when none has ended.
pub fn reap() -> Option<Reaped> {
    let mut status = 0;
    // SAFETY: an all-zero `rusage` is a valid value, and both pointers are to live variables.
    let (pid, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let pid = libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage);
        (pid, usage)
    };
    let pid = if pid > 0 {
        Pid::from_raw(pid)?
    } else {
        return None;
    };
    Some(Reaped {
        pid,
        status,
        usage: convert(&usage),
    })
}

fn convert(usage: &libc::rusage) -> Usage {
    #[allow(
        clippy::useless_conversion,
        reason = "the field types differ between platforms"
    )]
    let micros = |time: libc::timeval| {
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        seconds * 1_000_000 + u64::try_from(i64::from(time.tv_usec)).unwrap_or(0)
    };
    Usage {
        user_us: micros(usage.ru_utime),
        system_us: micros(usage.ru_stime),
        maximum_resident_kib: u64::try_from(usage.ru_maxrss).unwrap_or(0) / RESIDENT_UNIT,
    }
}

/// What `ru_maxrss` is to be divided by: macOS counts bytes, the others KiB.
const RESIDENT_UNIT: u64 = if cfg!(target_vendor = "apple") {
    1024
} else {
    1
};

/// Makes `target` a copy of `source` that survives exec, closing what `target` was.
pub fn place(source: BorrowedFd<'_>, target: RawFd) -> io::Result<()> {
    // SAFETY: called in a forked child, where no owned descriptor below 64 is used afterwards.
    match unsafe { libc::dup2(source.as_raw_fd(), target) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Takes the ownership of standard input, the socket to the runner.
pub fn take_socket() -> OwnedFd {
    // SAFETY: called once, first of all, before anything else uses descriptor 0; Rust's runtime has seen to it that 0 is open.
    unsafe { OwnedFd::from_raw_fd(0) }
}

/// Borrows standard input of a forked child.
pub fn standard_input() -> BorrowedFd<'static> {
    // SAFETY: the child has placed a descriptor at 0 and never closes it.
    unsafe { BorrowedFd::borrow_raw(0) }
}

/// Marks every descriptor from `first` on to be closed by exec.
pub fn close_on_exec_from(first: RawFd) -> io::Result<()> {
    for_each_from(first, CloseRange::OnExec)
}

/// Closes every descriptor from `first` on. To be called before anything is opened.
pub fn close_from(first: RawFd) -> io::Result<()> {
    for_each_from(first, CloseRange::Now)
}

/// When a range of descriptors is to be closed.
#[derive(Clone, Copy)]
enum CloseRange {
    OnExec,
    Now,
}

#[cfg(target_os = "linux")]
fn for_each_from(first: RawFd, when: CloseRange) -> io::Result<()> {
    let flags = match when {
        CloseRange::OnExec => libc::CLOSE_RANGE_CLOEXEC,
        CloseRange::Now => 0,
    };
    // SAFETY: sets flags, or closes what has no owner yet (see `close_from`).
    match unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, flags) } {
        0 => Ok(()),
        // Kernels before 5.11.
        _ => one_by_one(first, when),
    }
}

#[cfg(not(target_os = "linux"))]
fn for_each_from(first: RawFd, when: CloseRange) -> io::Result<()> {
    one_by_one(first, when)
}

fn one_by_one(first: RawFd, when: CloseRange) -> io::Result<()> {
    // SAFETY: no pointer is involved.
    let limit = unsafe { libc::sysconf(libc::_SC_OPEN_MAX) };
    for descriptor in first..RawFd::try_from(limit).map_err(|_| Errno::RANGE)? {
        // SAFETY: sets a flag, or closes what has no owner yet; numbers that are not open are refused by the kernel.
        unsafe {
            match when {
                CloseRange::OnExec => libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC),
                CloseRange::Now => libc::close(descriptor),
            }
        };
    }
    Ok(())
}

fn last_errno() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::INVAL)
}
