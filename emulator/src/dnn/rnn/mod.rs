//! Recurrent networks: vanilla with ReLU or tanh, LSTM, GRU (rnn.cpp, rnnocl.cpp).
//!
//! | file | what it holds |
//! |---|---|
//! | `network` | what a descriptor says; where parameters lie |
//! | `seq_tensor` | descriptors of batches of sequences of any order, with padding or without |
//! | `sequence` | which sequences of a batch are how long; rows of what is packed |
//! | `forward`, `backward` | the formulas, on the host and in double |
//! | `calls`, `seq_calls` | the functions that compute: with a descriptor for each step, with one for all |
//!
//! What MIOpen does otherwise than cuDNN, and so does this: without a first hidden state the biases of the recurrence are left out in the
//! first step of each sequence (rnnocl.cpp: `if(hx != nullptr)` in front of their sum); gradients of parameters overwrite what was there
//! (`SetTensor(handle, w_desc, dw, &beta_t)`), and need the workspace as the gradients of the data left it.

mod backward;
pub mod calls;
mod forward;
pub mod network;
pub mod seq_calls;
pub mod seq_tensor;
mod sequence;
