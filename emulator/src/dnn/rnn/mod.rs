//! Recurrent networks: vanilla with ReLU or tanh, LSTM, GRU (rnn.cpp, rnnocl.cpp).
//!
//! | file | what it holds |
//! |---|---|
//! | `network` | what a descriptor says; where parameters lie |
//! | `sequence` | which sequences of a batch are how long; rows of what is packed |
//! | `forward`, `backward` | the formulas, on the host and in double |
//! | `calls` | the functions that compute |
//!
//! What MIOpen does otherwise than cuDNN, and so does this: without a first hidden state the biases of the recurrence are left out in the
//! first step of each sequence (rnnocl.cpp: `if(hx != nullptr)` in front of their sum); gradients of parameters overwrite what was there
//! (`SetTensor(handle, w_desc, dw, &beta_t)`), and need the workspace as the gradients of the data left it.

mod backward;
pub mod calls;
mod forward;
pub mod network;
mod sequence;
