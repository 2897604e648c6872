//! How the allocator of this process gives memory back.

/// Blocks of at least this many bytes are mapped one by one, and unmapped when they are freed.
#[cfg(target_env = "gnu")]
const MAPPED_FROM: libc::c_int = 128 << 10;

/// Makes the memory of ended sessions return to the system at once.
///
/// Their output is held in blocks of up to a megabyte. The GNU allocator starts with this very bound, but raises it to
/// the size of each such block that is freed (mallopt(3), `M_MMAP_THRESHOLD`); the next ones then share heaps, and one
/// small allocation that lives on keeps all below it. A bound that was set stays.
#[cfg(target_env = "gnu")]
pub fn give_back_large_blocks() {
    #[expect(
        unsafe_code,
        reason = "mallopt(3) takes numbers and touches the allocator alone"
    )]
    // SAFETY: no pointers are involved; glibc takes its own lock.
    let set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_FROM) };
    // Only a bound that is out of range is refused, and then the default holds: more memory, nothing wrong.
    debug_assert_eq!(set, 1, "the bound is in range");
}

/// Other allocators do this by themselves.
#[cfg(not(target_env = "gnu"))]
pub fn give_back_large_blocks() {}
