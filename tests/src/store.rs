//! The record that the program keeps.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value};

/// A reader of the program's store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

impl Store {
    /// Opens the store of a state directory for reading.
    ///
    /// # Panics
    /// There is none.
    pub fn open(state: &Path) -> Self {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(state.join("execgate.sqlite"), flags)
            .expect("the program has made a store");
        Self { connection }
    }

    /// The recorded calls, oldest first, each an object by column.
    pub fn calls(&self) -> Vec<Value> {
        self.table("SELECT * FROM calls ORDER BY id")
    }

    /// The recorded ends of commands in the background, oldest first, each an object by column.
    pub fn ends(&self) -> Vec<Value> {
        self.table("SELECT * FROM ends ORDER BY id")
    }

    /// The recorded swaps, oldest first, each an object by column.
    pub fn swaps(&self) -> Vec<Value> {
        self.table("SELECT * FROM swaps ORDER BY id")
    }

    /// The recorded patches, oldest first, each an object by column.
    pub fn patches(&self) -> Vec<Value> {
        self.table("SELECT * FROM patches ORDER BY id")
    }

    fn table(&self, query: &str) -> Vec<Value> {
        let mut statement = self.connection.prepare(query).expect("the table is there");
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let rows = statement.query_map([], |row| {
            let mut object = Map::new();
            for (index, name) in names.iter().enumerate() {
                object.insert(name.clone(), json(row.get_ref(index)?));
            }
            Ok(Value::Object(object))
        });
        rows.expect("the query takes no arguments")
            .map(|row| row.expect("a row can be read"))
            .collect()
    }
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            String::from_utf8_lossy(bytes).into_owned().into()
        }
    }
}
