//! What MIOpen refuses is refused, with its status.

use std::ptr::null_mut;

use super::convolution::*;
use super::dropout::*;
use super::elementwise::*;
use super::handle::*;
use super::pooling::*;
use super::reduce::*;
use super::rnn::calls::*;
use super::rnn::network::*;
use super::tensor::*;
use crate::host::raw::Ptr;

const SUCCESS: i32 = 0;
const ONE: f32 = 1.0;
const TWO: f32 = 2.0;
const NONE: f32 = 0.0;

/// A handle or a descriptor that a function makes.
fn made(make: extern "C" fn(*mut Ptr) -> i32) -> Ptr {
    let mut made = null_mut();
    assert_eq!(make(&raw mut made), SUCCESS);
    made
}

fn tensor(lens: [i32; 4]) -> Ptr {
    let made = made(miopenCreateTensorDescriptor);
    let [n, c, h, w] = lens;
    assert_eq!(miopenSet4dTensorDescriptor(made, 1, n, c, h, w), SUCCESS);
    made
}

fn memory(of: &mut [f32]) -> Ptr {
    of.as_mut_ptr().cast()
}

#[test]
fn scalings_other_than_one_and_zero_are_refused() {
    let (handle, activation) = (made(miopenCreate), made(miopenCreateActivationDescriptor));
    assert_eq!(
        miopenSetActivationDescriptor(activation, 3, 0.0, 0.0, 0.0),
        SUCCESS
    );
    let t = tensor([1, 1, 2, 2]);
    let mut x = [0.0; 4];
    let x = memory(&mut x);
    for (alpha, beta) in [(&ONE, &ONE), (&TWO, &NONE)] {
        assert_eq!(
            miopenActivationForward(handle, activation, alpha, t, x, beta, t, x),
            7
        );
    }
    let pooling = made(miopenCreatePoolingDescriptor);
    assert_eq!(
        miopenSet2dPoolingDescriptor(pooling, 1, 1, 1, 0, 0, 1, 1),
        SUCCESS
    );
    assert_eq!(
        miopenPoolingForward(
            handle,
            pooling,
            &ONE,
            t,
            x,
            &ONE,
            t,
            x,
            false,
            null_mut(),
            0
        ),
        7
    );
    let bias = tensor([1, 1, 1, 1]);
    assert_eq!(
        miopenConvolutionBackwardBias(handle, &ONE, t, x, &ONE, bias, x),
        7
    );
}

#[test]
fn indices_of_maxima_need_room() {
    let (handle, pooling) = (made(miopenCreate), made(miopenCreatePoolingDescriptor));
    let (x, y) = (tensor([1, 1, 17, 17]), tensor([1, 1, 1, 1]));
    let mut values = [0.0; 289];
    let values = memory(&mut values);
    assert_eq!(
        miopenSet2dPoolingDescriptor(pooling, 0, 17, 17, 0, 0, 1, 1),
        SUCCESS
    );
    let forward = |space: Ptr, bytes| {
        miopenPoolingForward(
            handle, pooling, &ONE, x, values, &NONE, y, values, true, space, bytes,
        )
    };
    // 289 places, and an index of 8 bits.
    assert_eq!(forward(values, 64), 7);
    assert_eq!(miopenSetPoolingIndexType(pooling, 2), SUCCESS);
    assert_eq!(forward(null_mut(), 0), 7);
    let mut bytes = 0;
    assert_eq!(
        miopenPoolingGetWorkSpaceSizeV2(pooling, y, &raw mut bytes),
        SUCCESS
    );
    assert_eq!(bytes, 4);
    assert_eq!(forward(values, 3), 7);
    assert_eq!(
        miopenPoolingBackward(
            handle,
            pooling,
            &ONE,
            y,
            values,
            y,
            values,
            x,
            values,
            &NONE,
            x,
            values,
            null_mut()
        ),
        7
    );
}

#[test]
fn a_convolution_needs_find_and_its_shapes() {
    let (handle, convolution) = (made(miopenCreate), made(miopenCreateConvolutionDescriptor));
    assert_eq!(
        miopenInitConvolutionDescriptor(convolution, 0, 0, 0, 1, 1, 1, 1),
        SUCCESS
    );
    let (x, w, y) = (
        tensor([1, 1, 3, 3]),
        tensor([1, 1, 2, 2]),
        tensor([1, 1, 2, 2]),
    );
    let mut values = [0.0; 9];
    let values = memory(&mut values);
    let forward = |y: Ptr, alpha: &f32| {
        miopenConvolutionForward(
            handle,
            alpha,
            x,
            values,
            w,
            values,
            convolution,
            1,
            &NONE,
            y,
            values,
            null_mut(),
            0,
        )
    };
    // "No invoker was registered for convolution forward. Was find executed?"
    assert_eq!(forward(y, &ONE), 7);
    // "Only alpha=1 and beta=0 is supported for 2D cases."
    assert_eq!(forward(y, &TWO), 6);
    assert_eq!(forward(x, &ONE), 3);
    let (mut count, mut bytes) = (0, 0);
    let sized =
        miopenConvolutionForwardGetWorkSpaceSize(handle, w, x, convolution, y, &raw mut bytes);
    assert_eq!((sized, bytes), (SUCCESS, 4 * 4 * 4));
    let found = miopenFindConvolutionForwardAlgorithm(
        handle,
        x,
        values,
        w,
        values,
        convolution,
        y,
        values,
        0,
        &raw mut count,
        null_mut(),
        null_mut(),
        0,
        false,
    );
    assert_eq!(found, 3);
}

#[test]
fn a_layout_belongs_to_a_number_of_directions() {
    let t = made(miopenCreateTensorDescriptor);
    let lens = [1, 2, 3, 4, 5];
    for (layout, count, expected) in [
        (0, 4, SUCCESS),
        (1, 4, SUCCESS),
        (7, 5, SUCCESS),
        (8, 5, SUCCESS),
        (1, 5, 3),
        (0, 3, 3),
        (3, 4, 3),
    ] {
        let set = miopenSetNdTensorDescriptorWithLayout(t, 1, layout, lens.as_ptr(), count);
        assert_eq!(set, expected, "layout {layout} of {count}");
    }
    let (mut kind, mut found, mut strides) = (0, [0; 5], [0; 5]);
    assert_eq!(
        miopenGetTensorDescriptor(t, &raw mut kind, found.as_mut_ptr(), strides.as_mut_ptr()),
        SUCCESS
    );
    assert_eq!((found, strides), (lens, [120, 1, 40, 10, 2]));
}

#[test]
fn a_reduction_needs_something_to_reduce_and_room() {
    let (handle, reduction) = (made(miopenCreate), made(miopenCreateReduceTensorDescriptor));
    assert_eq!(
        miopenSetReduceTensorDescriptor(reduction, 3, 1, 0, 1, 0),
        SUCCESS
    );
    // "Only int32 type is supported for ReduceTensor indices."
    assert_eq!(miopenSetReduceTensorDescriptor(reduction, 3, 1, 0, 1, 1), 7);
    let (a, c) = (tensor([1, 2, 2, 2]), tensor([1, 2, 1, 1]));
    let (mut bytes, mut indices) = (0, 0);
    assert_eq!(
        miopenGetReductionWorkspaceSize(handle, reduction, a, c, &raw mut bytes),
        SUCCESS
    );
    assert_eq!(
        miopenGetReductionIndicesSize(handle, reduction, a, c, &raw mut indices),
        SUCCESS
    );
    assert_eq!(indices, 8);
    let mut values = [0.0; 8];
    let values = memory(&mut values);
    let [one, none] = [&ONE, &NONE].map(|scaling| std::ptr::from_ref(scaling).cast_mut().cast());
    let reduce = |indices, bytes, c| {
        miopenReduceTensor(
            handle,
            reduction,
            values,
            indices,
            null_mut(),
            bytes,
            one,
            a,
            values,
            none,
            c,
            values,
        )
    };
    assert_eq!(reduce(indices, bytes - 1, c), 7);
    assert_eq!(reduce(indices - 1, bytes, c), 7);
    let full = tensor([1, 3, 2, 2]);
    assert_eq!(reduce(indices, bytes, full), 7);
    let like_a = tensor([1, 2, 2, 2]);
    assert_eq!(
        miopenGetReductionWorkspaceSize(handle, reduction, like_a, full, &raw mut bytes),
        7
    );
}

#[test]
fn dropout_needs_its_states_and_its_reserve() {
    let (handle, dropout) = (made(miopenCreate), made(miopenCreateDropoutDescriptor));
    let x = tensor([1, 1, 16, 32]);
    let mut values = [0.0; 512];
    let values = memory(&mut values);
    let set = |rate, bytes| {
        miopenRestoreDropoutDescriptor(dropout, handle, rate, values, bytes, 1, false, false, 0)
    };
    let forward =
        |reserved| miopenDropoutForward(handle, dropout, x, x, values, x, values, values, reserved);
    // 512 elements are drawn by 512 lanes, with a state of 24 bytes each.
    assert_eq!(set(0.5, 511 * 24), SUCCESS);
    assert_eq!(forward(512), 7);
    assert_eq!(set(1.5, 512 * 24), SUCCESS);
    assert_eq!(forward(512), 7);
    assert_eq!(set(0.5, 512 * 24), SUCCESS);
    assert_eq!(forward(511), 7);
}

#[test]
fn a_network_needs_room_and_sequences_that_do_not_grow() {
    let (handle, network) = (made(miopenCreate), made(miopenCreateRNNDescriptor));
    let set = |hidden, kind| miopenSetRNNDescriptor(network, hidden, 1, 0, 0, 2, 1, 0, kind);
    // "RNN datatype must be float or half."
    assert_eq!(set(2, 6), 3);
    assert_eq!(set(2, 1), SUCCESS);
    let rows = |size| tensor([size, 2, 1, 1]);
    let state = made(miopenCreateTensorDescriptor);
    let lens = [1, 2, 2];
    assert_eq!(
        miopenSetTensorDescriptor(state, 1, 3, lens.as_ptr(), std::ptr::null()),
        SUCCESS
    );
    let mut values = [0.0; 512];
    let values = memory(&mut values);
    let forward = |steps: [Ptr; 2], space, reserve| {
        let steps = steps.as_ptr();
        miopenRNNForwardTraining(
            handle, network, 2, steps, values, state, values, state, values, state, values, steps,
            values, state, values, state, values, values, space, values, reserve,
        )
    };
    let (falling, growing) = ([rows(2), rows(1)], [rows(1), rows(2)]);
    let (mut space, mut reserve) = (0, 0);
    assert_eq!(
        miopenGetRNNWorkspaceSize(handle, network, 2, falling.as_ptr(), &raw mut space),
        SUCCESS
    );
    assert_eq!(
        miopenGetRNNTrainingReserveSize(handle, network, 2, falling.as_ptr(), &raw mut reserve),
        SUCCESS
    );
    // Three rows of two numbers: six and seven of each.
    assert_eq!((space, reserve), (6 * 3 * 2 * 4, 7 * 3 * 2 * 4));
    assert_eq!(forward(falling, space - 1, reserve), 7);
    assert_eq!(forward(falling, space, reserve - 1), 7);
    // "Incorrect input batch size at time 1! Batch size must not ascend!"
    assert_eq!(forward(growing, space, reserve), 3);
}
