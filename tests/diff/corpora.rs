//! Two small corpora with every transition.
