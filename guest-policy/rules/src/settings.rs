//! Settings documents: every key is read once, and whatever is wrong is a problem with its place.

use execgate_guest::Problem;
use serde_json::{Map, Value};

/// A settings object that is being read.
#[derive(Debug)]
pub struct Fields {
    object: Map<String, Value>,
    problems: Vec<Problem>,
    /// Where the object stands, as a JSON pointer (RFC 6901); empty at the root.
    place: String,
}

impl Fields {
    /// Reads a JSON object; anything else is a problem at the root.
    pub fn parse(text: &str) -> Self {
        let (object, problems) = match serde_json::from_str(text) {
            Ok(Value::Object(object)) => (object, Vec::new()),
            Ok(_) => (
                Map::new(),
                vec![problem(
                    String::new(),
                    "settings must be a JSON object".into(),
                )],
            ),
            Err(error) => (
                Map::new(),
                vec![problem(
                    String::new(),
                    format!("settings must be a JSON object: {error}"),
                )],
            ),
        };
        Self {
            object,
            problems,
            place: String::new(),
        }
    }

    /// A text, if it is given.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.object.remove(name)? {
            Value::String(text) => Some(text),
            _ => self.wrong(name, "must be a text", None),
        }
    }

    /// A text or a list of texts; empty when it is not given.
    pub fn one_or_more(&mut self, name: &str) -> Vec<String> {
        match self.object.get(name) {
            Some(Value::String(_)) => self.text(name).into_iter().collect(),
            _ => self.texts(name),
        }
    }

    /// A list of objects, each taken by `read`; empty when it is not given.
    pub fn objects<T>(&mut self, name: &str, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let items = match self.object.remove(name) {
            None => return Vec::new(),
            Some(Value::Array(items)) => items,
            Some(_) => return self.wrong(name, "must be a list of objects", Vec::new()),
        };
        let mut all = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let Value::Object(object) = item else {
                self.problem(&format!("{name}/{index}"), "must be an object");
                continue;
            };
            let mut inner = Self {
                object,
                problems: Vec::new(),
                place: format!("{}/{name}/{index}", self.place),
            };
            all.push(read(&mut inner));
            self.problems
                .extend(inner.finish().err().unwrap_or_default());
        }
        all
    }

    /// A boolean, or its default.
    pub fn boolean(&mut self, name: &str, default: bool) -> bool {
        match self.object.remove(name) {
            None => default,
            Some(Value::Bool(value)) => value,
            Some(_) => self.wrong(name, "must be true or false", default),
        }
    }

    /// An integer, or its default.
    pub fn integer(&mut self, name: &str, default: i64) -> i64 {
        match self.object.remove(name) {
            None => default,
            Some(value) => match value.as_i64() {
                Some(number) => number,
                None => self.wrong(name, "must be an integer", default),
            },
        }
    }

    /// A list of texts; empty when it is not given.
    pub fn texts(&mut self, name: &str) -> Vec<String> {
        let items = match self.object.remove(name) {
            None => return Vec::new(),
            Some(Value::Array(items)) => items,
            Some(_) => return self.wrong(name, "must be a list of texts", Vec::new()),
        };
        let mut texts = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            match item {
                Value::String(text) => texts.push(text),
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::Array(_)
                | Value::Object(_) => {
                    self.problem(&format!("{name}/{index}"), "must be a text");
                }
            }
        }
        texts
    }

    /// One of some names; the first of them when it is not given.
    pub fn choice<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> T {
        let default = choices[0].1;
        let Some(value) = self.object.remove(name) else {
            return default;
        };
        let found = value
            .as_str()
            .and_then(|text| choices.iter().find(|(known, _)| *known == text));
        match found {
            Some((_, choice)) => *choice,
            None => {
                let names: Vec<String> = choices
                    .iter()
                    .map(|(known, _)| format!("`{known}`"))
                    .collect();
                self.wrong(
                    name,
                    &format!("must be one of {}", names.join(", ")),
                    default,
                )
            }
        }
    }

    /// Notes a problem at a place below the root.
    pub fn problem(&mut self, place: &str, message: &str) {
        self.problems.push(problem(
            format!("{}/{place}", self.place),
            message.to_owned(),
        ));
    }

    /// Ends the reading: keys that nobody asked for are problems too.
    ///
    /// # Errors
    /// All problems that were met.
    pub fn finish(mut self) -> Result<(), Vec<Problem>> {
        for key in self.object.keys() {
            let escaped = key.replace('~', "~0").replace('/', "~1");
            self.problems.push(problem(
                format!("{}/{escaped}", self.place),
                format!("unknown setting `{key}`"),
            ));
        }
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(self.problems)
        }
    }

    fn wrong<T>(&mut self, name: &str, message: &str, default: T) -> T {
        self.problem(name, message);
        default
    }
}

fn problem(path: String, message: String) -> Problem {
    Problem { path, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_setting_is_named_by_its_pointer() {
        let mut fields = Fields::parse(r#"{"flag": 1, "list": ["a", 2], "count": "x", "a/b": 0}"#);
        assert!(!fields.boolean("flag", false));
        assert_eq!(fields.texts("list"), ["a"]);
        assert_eq!(fields.integer("count", 7), 7);
        let paths: Vec<String> = fields
            .finish()
            .expect_err("four problems")
            .into_iter()
            .map(|item| item.path)
            .collect();
        assert_eq!(paths, ["/flag", "/list/1", "/count", "/a~1b"]);
    }

    #[test]
    fn problems_of_inner_objects_have_their_place() {
        let mut fields = Fields::parse(r#"{"list": [{"name": "a"}, 1, {"name": 2, "more": 3}]}"#);
        let names = fields.objects("list", |inner| inner.text("name"));
        assert_eq!(names, [Some("a".to_owned()), None]);
        let problems = fields.finish().expect_err("three problems").into_iter();
        let paths: Vec<String> = problems.map(|item| item.path).collect();
        assert_eq!(paths, ["/list/1", "/list/2/name", "/list/2/more"]);
    }

    #[test]
    fn anything_but_an_object_is_refused() {
        for text in ["", "[]", "1", "{"] {
            assert_eq!(
                Fields::parse(text).finish().expect_err("refused")[0].path,
                "",
                "{text}"
            );
        }
    }
}
