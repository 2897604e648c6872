//! What one call of a component may use up, and the watch on its memory.

use std::time::Duration;

use wasmtime::ResourceLimiter;

/// Limits of one call: instantiation, `configure` and the exported function together.
///
/// Reaching any of them is a [`crate::Fault`], and a fault never allows anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions, roughly. The same call uses the same amount on every machine, busy or idle.
    pub fuel: u64,
    /// Time spent running the component, waiting in host calls included and waiting
    /// for its turn excluded. A backstop: fuel ends a busy component first.
    pub wall_clock: Duration,
    /// Linear memory in bytes, all memories of the component together.
    pub memory: usize,
    /// Elements of all tables together.
    pub table_elements: usize,
    /// Core module instances; a component of several languages has a few dozen.
    pub instances: usize,
    /// Bytes that one call may hand to the host, its answer among them.
    pub result: usize,
    /// Bytes that host functions may read or copy on the component's behalf.
    pub host_work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // About half a second; the built-in analyzer needs a thousandth of it for a usual command.
            fuel: 500_000_000,
            wall_clock: Duration::from_secs(5),
            // Python and JavaScript guests start at 15 to 30 MiB.
            memory: 64 << 20,
            table_elements: 65_536,
            instances: 64,
            result: 4 << 20,
            host_work: 256 << 20,
        }
    }
}

/// Watches how one store grows and remembers the first growth that was refused.
pub(crate) struct Growth {
    memory: usize,
    memory_limit: usize,
    elements: usize,
    elements_limit: usize,
    instances: usize,
    /// Bytes that the component would have needed.
    pub(crate) refused_memory: Option<usize>,
    /// Table elements that the component would have needed.
    pub(crate) refused_elements: Option<usize>,
}

impl Growth {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            memory: 0,
            memory_limit: limits.memory,
            elements: 0,
            elements_limit: limits.table_elements,
            instances: limits.instances,
            refused_memory: None,
            refused_elements: None,
        }
    }
}

/// Adds a growth to a sum if the limit and the item's own maximum allow it.
fn grow(
    used: &mut usize,
    limit: usize,
    (current, desired): (usize, usize),
    maximum: Option<usize>,
) -> Result<bool, usize> {
    let total = used.saturating_add(desired.saturating_sub(current));
    if total > limit {
        return Err(total);
    }
    if maximum.is_some_and(|maximum| desired > maximum) {
        return Ok(false);
    }
    *used = total;
    Ok(true)
}

impl ResourceLimiter for Growth {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        match grow(
            &mut self.memory,
            self.memory_limit,
            (current, desired),
            maximum,
        ) {
            Ok(grown) => Ok(grown),
            Err(needed) => {
                self.refused_memory.get_or_insert(needed);
                Ok(false)
            }
        }
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        match grow(
            &mut self.elements,
            self.elements_limit,
            (current, desired),
            maximum,
        ) {
            Ok(grown) => Ok(grown),
            Err(needed) => {
                self.refused_elements.get_or_insert(needed);
                Ok(false)
            }
        }
    }

    fn instances(&self) -> usize {
        self.instances
    }

    fn tables(&self) -> usize {
        self.instances
    }

    fn memories(&self) -> usize {
        self.instances
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_share_one_limit_and_the_first_refusal_is_kept() {
        let limits = Limits {
            memory: 100,
            ..Limits::default()
        };
        let mut growth = Growth::new(&limits);
        assert!(growth.memory_growing(0, 60, None).unwrap());
        assert!(growth.memory_growing(0, 40, None).unwrap());
        assert!(!growth.memory_growing(40, 50, None).unwrap());
        assert!(!growth.memory_growing(40, 90, None).unwrap());
        assert_eq!(growth.refused_memory, Some(110));
    }

    #[test]
    fn the_own_maximum_of_a_memory_is_no_refusal_of_the_limit() {
        let mut growth = Growth::new(&Limits::default());
        assert!(!growth.memory_growing(0, 20, Some(10)).unwrap());
        assert_eq!(growth.refused_memory, None);
    }
}
