use super::*;
use pretty_assertions::assert_eq;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..40)
}

fn text() -> impl Strategy<Value = String> {
    vec(any::<char>(), 1..12).prop_map(String::from_iter)
}

fn spawn() -> impl Strategy<Value = Request> {
    let words = (vec(bytes(), 0..5), vec((bytes(), bytes()), 0..5));
    let placement = (0..4_u8, 0..64_u8).prop_map(|(index, target)| Placement { index, target });
    let rest = (vec(placement, 0..6), any::<bool>());
    (text(), bytes(), bytes(), words, rest).prop_map(
        |(id, program, directory, (arguments, environment), (placements, terminal))| {
            Request::Spawn(Box::new(Spawn {
                id,
                program,
                arguments,
                directory,
                environment,
                sent: 4,
                placements,
                terminal,
            }))
        },
    )
}

fn requests() -> impl Strategy<Value = Request> {
    prop_oneof![
        spawn(),
        (text(), any::<i32>()).prop_map(|(id, signal)| Request::Signal { id, signal }),
        (text(), any::<u64>()).prop_map(|(id, grace_ms)| Request::Kill { id, grace_ms }),
        text().prop_map(|id| Request::Survivors { id }),
        any::<u64>().prop_map(|grace_ms| Request::Shutdown { grace_ms }),
    ]
}

fn exited() -> impl Strategy<Value = Event> {
    (text(), any::<i32>(), any::<[u64; 3]>()).prop_map(|(id, status, numbers)| {
        let [user_us, system_us, maximum_resident_kib] = numbers;
        Event::Exited {
            id,
            status,
            usage: Usage {
                user_us,
                system_us,
                maximum_resident_kib,
            },
        }
    })
}

fn survivors() -> impl Strategy<Value = Event> {
    let survivor = (any::<u32>(), text()).prop_map(|(pid, command)| Survivor { pid, command });
    (text(), vec(survivor, 0..5)).prop_map(|(id, survivors)| Event::Survivors { id, survivors })
}

fn events() -> impl Strategy<Value = Event> {
    let stage = prop_oneof![
        Just(Stage::Directory),
        Just(Stage::Program),
        Just(Stage::Other)
    ];
    prop_oneof![
        Just(Event::Ready),
        (text(), any::<u32>()).prop_map(|(id, pid)| Event::Spawned { id, pid }),
        (text(), stage, any::<i32>()).prop_map(|(id, stage, errno)| Event::SpawnFailed {
            id,
            stage,
            errno
        }),
        exited(),
        (text(), any::<i32>()).prop_map(|(id, errno)| Event::Signalled { id, errno }),
        (text(), any::<u32>(), any::<u32>()).prop_map(|(id, count, left)| Event::Killed {
            id,
            count,
            left
        }),
        survivors(),
        (any::<u32>(), any::<u32>()).prop_map(|(count, left)| Event::Stopped { count, left }),
    ]
}

fn bodies(stream: &[u8], chunk: usize) -> Vec<Vec<u8>> {
    let mut frames = Frames::default();
    let mut bodies = Vec::new();
    for piece in stream.chunks(chunk) {
        frames.push(piece);
        while let Some(body) = frames.next_body().unwrap() {
            bodies.push(body.to_vec());
        }
    }
    bodies
}

proptest! {
    #[test]
    fn requests_come_back_whole_in_any_chunking(sent in vec(requests(), 1..5), chunk in 1..50_usize) {
        let stream: Vec<u8> = sent.iter().flat_map(|one| one.to_frame().unwrap()).collect();
        let read: Vec<_> = bodies(&stream, chunk).iter().map(|body| Request::from_body(body).unwrap()).collect();
        assert_eq!(read, sent);
    }

    #[test]
    fn events_come_back_whole_in_any_chunking(sent in vec(events(), 1..5), chunk in 1..50_usize) {
        let stream: Vec<u8> = sent.iter().flat_map(|one| one.to_frame().unwrap()).collect();
        let read: Vec<_> = bodies(&stream, chunk).iter().map(|body| Event::from_body(body).unwrap()).collect();
        assert_eq!(read, sent);
    }

    #[test]
    fn arbitrary_bytes_are_read_without_panic(body in vec(any::<u8>(), 0..200)) {
        if let Ok(request) = Request::from_body(&body) {
            assert_eq!(request.to_frame().unwrap()[4..], body);
        }
        if let Ok(event) = Event::from_body(&body) {
            assert_eq!(event.to_frame().unwrap()[4..], body);
        }
    }

    #[test]
    fn a_cut_request_is_refused(request in requests(), cut in any::<proptest::sample::Index>()) {
        let frame = request.to_frame().unwrap();
        let body = &frame[4..];
        assert!(Request::from_body(&body[..cut.index(body.len())]).is_err());
    }
}

#[test]
fn a_frame_that_announces_too_much_is_refused_before_it_is_read() {
    let mut frames = Frames::default();
    frames.push(&u32::MAX.to_le_bytes());
    assert_eq!(frames.next_body(), Err(WireError::TooLong));
}

#[test]
fn a_request_over_the_limit_is_refused_by_its_writer() {
    let spawn = Spawn {
        program: vec![0; MAXIMUM_FRAME],
        ..Spawn::default()
    };
    assert_eq!(
        Request::Spawn(Box::new(spawn)).to_frame(),
        Err(WireError::TooLong)
    );
}

#[test]
fn a_placement_beyond_the_descriptors_sent_is_refused() {
    let placements = vec![Placement {
        index: 1,
        target: 0,
    }];
    let spawn = Spawn {
        id: "a".into(),
        sent: 1,
        placements,
        ..Spawn::default()
    };
    let frame = Request::Spawn(Box::new(spawn)).to_frame().unwrap();
    assert_eq!(Request::from_body(&frame[4..]), Err(WireError::Value));
}
