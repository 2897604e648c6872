//! The socket to the runner: requests and descriptors in, events out, never blocking.

use std::collections::VecDeque;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use execgate_keeper::{Event, Frames, Request};
use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, ReturnFlags, SendFlags, recvmsg, send,
};

use crate::platform;

/// Bytes read at once.
const CHUNK: usize = 64 << 10;

/// One end of the socket pair. What the runner does not read yet is kept, so a slow runner never stops the keeper.
pub struct Connection {
    socket: OwnedFd,
    chunk: Vec<u8>,
    frames: Frames,
    descriptors: VecDeque<OwnedFd>,
    outgoing: Vec<u8>,
    open: bool,
}

impl Connection {
    /// Wraps a non-blocking stream socket.
    pub fn new(socket: OwnedFd) -> Self {
        Self {
            socket,
            chunk: vec![0; CHUNK],
            frames: Frames::default(),
            descriptors: VecDeque::new(),
            outgoing: Vec::new(),
            open: true,
        }
    }

    /// Whether the runner's end is still there.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// What to poll for.
    pub fn interest(&self) -> PollFlags {
        let write = if self.outgoing.is_empty() {
            PollFlags::empty()
        } else {
            PollFlags::OUT
        };
        PollFlags::IN | write
    }

    /// Reads until nothing is left, the runner's end closes, or what comes makes no sense (which counts as closed).
    pub fn fill(&mut self) {
        while self.open {
            match self.receive() {
                Ok(0) => self.open = false,
                Ok(_) => {}
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                Err(_) => self.open = false,
            }
        }
    }

    fn receive(&mut self) -> Result<usize, Errno> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(64))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut slices = [IoSliceMut::new(&mut self.chunk)];
        let received = recvmsg(&self.socket, &mut slices, &mut control, platform::RECEIVE)?;
        // Descriptors the kernel dropped (table full) would shift all later ones to the wrong process: better no connection.
        if received.flags.contains(ReturnFlags::CTRUNC) {
            return Err(Errno::MFILE);
        }
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                self.descriptors.extend(descriptors);
            }
        }
        self.frames.push(&self.chunk[..received.bytes]);
        Ok(received.bytes)
    }

    /// Returns the next whole request; a malformed one closes the connection.
    pub fn request(&mut self) -> Option<Request> {
        let request = match self.frames.next_body() {
            Ok(Some(body)) => Request::from_body(body),
            Ok(None) => return None,
            Err(error) => Err(error),
        };
        self.open &= request.is_ok();
        request.ok()
    }

    /// Takes the descriptors that came with a request. Fewer than announced means that the stream is broken.
    pub fn take_descriptors(&mut self, count: usize) -> Option<Vec<OwnedFd>> {
        if self.descriptors.len() < count {
            self.open = false;
            return None;
        }
        Some(self.descriptors.drain(..count).collect())
    }

    /// Queues an event and sends what goes without waiting.
    pub fn report(&mut self, event: &Event) {
        // Only a listing could be too long, and its sender bounds it.
        if let Ok(frame) = event.to_frame() {
            self.outgoing.extend_from_slice(&frame);
        }
        self.flush();
    }

    /// Sends what goes without waiting.
    pub fn flush(&mut self) {
        while self.open && !self.outgoing.is_empty() {
            match send(&self.socket, &self.outgoing, SendFlags::empty()) {
                Ok(sent) => drop(self.outgoing.drain(..sent)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.open = false,
            }
        }
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Makes a descriptor non-blocking.
pub fn set_nonblocking(descriptor: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(descriptor, true)?)
}
