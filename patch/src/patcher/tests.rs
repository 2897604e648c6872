mod confinement;
mod faults;
mod kill;
mod operations;
mod place;
mod properties;
mod undo;
