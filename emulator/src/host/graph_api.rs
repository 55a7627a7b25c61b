//! `hipGraph…`: building graphs by hand, instantiating and launching them, changing nodes.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use crate::device::Kind;

use super::copy::{Copy, Direction, Extent, Fill, Place};
use super::copy_api::Copy3d;
use super::device::current;
use super::error::{Code, Outcome};
use super::event::EVENTS;
use super::function::Function;
use super::graph::{GRAPHS, Graph, NODES, Node, NodeHandle, PLANS, Plan};
use super::launch::{Dim3, Launch, Shape};
use super::module::function_of;
use super::raw::{self, Ptr};
use super::stream;
use super::work::{HostFunction, Work};
use super::{memory, registry};

layout! {
    /// HIP's `hipKernelNodeParams`.
    pub struct KernelParams {
        block: Dim3,
        extra: *const Ptr,
        function: Ptr,
        grid: Dim3,
        arguments: *const Ptr,
        lds: u32,
    }
}

layout! {
    /// HIP's `hipMemsetParams`.
    pub struct FillParams {
        to: usize,
        element: u32,
        height: usize,
        pitch: usize,
        value: u32,
        width: usize,
    }
}

layout! {
    /// HIP's `hipHostNodeParams`.
    pub struct HostParams {
        function: Option<HostFunction>,
        data: Ptr,
    }
}

layout! {
    /// HIP's `hipMemAllocNodeParams`, its pool properties unread.
    pub struct AllocateParams {
        pool: [u8; 88],
        access: *const c_void,
        access_count: usize,
        bytes: usize,
        address: usize,
    }
}

impl KernelParams {
    fn work(&self) -> Outcome<Work> {
        let function = registry::function(self.function)
            .or_else(|_| function_of(self.function))
            .map_err(|_| Code::INVALID_DEVICE_FUNCTION)?;
        let arguments = self.pack(&function)?;
        let shape = Shape {
            grid: self.grid,
            block: self.block,
            lds: self.lds as usize,
        };
        Ok(Work::Kernel(Arc::new(Launch::new(
            function, shape, arguments, false,
        )?)))
    }

    fn pack(&self, function: &Function) -> Outcome<Vec<u8>> {
        match (self.arguments.is_null(), self.extra.is_null()) {
            (true, false) => function.unpack_extra(self.extra),
            _ => function.pack(self.arguments),
        }
    }
}

/// The parameters of a kernel node as the program gets them back: the arguments stay where these pointers lead, for ever.
fn kernel_params(launch: &Launch, stand_in: Ptr) -> KernelParams {
    let packed: &'static [u8] = Box::leak(launch.arguments.clone().into_boxed_slice());
    let pointers: Vec<usize> = launch
        .function
        .kernel()
        .explicit()
        .map(|argument| packed[argument.offset..].as_ptr() as usize)
        .collect();
    KernelParams {
        block: launch.shape.block,
        extra: std::ptr::null(),
        function: stand_in,
        grid: launch.shape.grid,
        arguments: Box::leak(pointers.into_boxed_slice()).as_ptr().cast(),
        lds: launch.shape.lds as u32,
    }
}

impl FillParams {
    fn work(&self) -> Outcome<Work> {
        if !matches!(self.element, 1 | 2 | 4) {
            return Err(Code::INVALID_VALUE);
        }
        let extent = Extent::rows(self.width * self.element as usize, self.height.max(1));
        let pitch = if self.height > 1 { self.pitch } else { 0 };
        let fill = Fill {
            to: Place::rows(self.to, pitch),
            value: self.value,
            element: self.element as usize,
            extent,
        };
        fill.check()?;
        Ok(Work::Fill(fill))
    }

    fn of(fill: &Fill) -> FillParams {
        FillParams {
            to: fill.to.address,
            element: fill.element as u32,
            height: fill.extent.height,
            pitch: fill.to.pitch,
            value: fill.value,
            width: fill.extent.width / fill.element,
        }
    }
}

impl HostParams {
    fn work(&self) -> Outcome<Work> {
        Ok(Work::Host(
            self.function.ok_or(Code::INVALID_VALUE)?,
            self.data as usize,
        ))
    }
}

fn copy_work(copy: Copy, direction: Direction) -> Outcome<Work> {
    copy.check(direction)?;
    Ok(Work::Copy(copy))
}

fn row_work(to: usize, from: usize, len: usize, kind: u32) -> Outcome<Work> {
    copy_work(
        Copy {
            to: Place::row(to),
            from: Place::row(from),
            extent: Extent::row(len),
        },
        Direction::of(kind)?,
    )
}

fn box_work(parameters: *const Copy3d) -> Outcome<Work> {
    let parameters = raw::get(parameters)?;
    copy_work(parameters.copy()?, parameters.direction()?)
}

fn symbol_address(stand_in: *const c_void, offset: usize, len: usize) -> Outcome<usize> {
    let (address, size) = registry::variable(stand_in)?;
    if offset.checked_add(len).is_some_and(|end| end <= size) {
        Ok(address + offset)
    } else {
        Err(Code::INVALID_VALUE)
    }
}

/// The indices of nodes that all belong to one graph.
fn indices(graph: &Arc<Graph>, nodes: *const Ptr, count: usize) -> Outcome<Vec<usize>> {
    raw::list(nodes, count)?
        .into_iter()
        .map(|handle| {
            let node = NODES.get(handle).map_err(|_| Code::INVALID_VALUE)?;
            if Arc::ptr_eq(&node.graph()?, graph) {
                Ok(node.index)
            } else {
                Err(Code::INVALID_VALUE)
            }
        })
        .collect()
}

fn graph_of(handle: Ptr) -> Outcome<Arc<Graph>> {
    GRAPHS.get(handle).map_err(|_| Code::INVALID_VALUE)
}

fn node_of(handle: Ptr) -> Outcome<Arc<NodeHandle>> {
    NODES.get(handle).map_err(|_| Code::INVALID_VALUE)
}

fn add(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, work: Work) -> Outcome {
    let graph = graph_of(graph)?;
    let after = indices(&graph, after, count)?;
    let index = graph.add(work, after);
    raw::put(to, graph.handle(index))
}

/// Writes handles of nodes: as many as there is room for; without room, or always, their number.
fn put_nodes(graph: &Arc<Graph>, found: &[usize], nodes: *mut Ptr, count: *mut usize) -> Outcome {
    let room = raw::get(count)?;
    if !nodes.is_null() {
        for (k, &index) in found.iter().take(room).enumerate() {
            raw::put(nodes.wrapping_add(k), graph.handle(index))?;
        }
        (found.len()..room)
            .try_for_each(|k| raw::put(nodes.wrapping_add(k), std::ptr::null_mut()))?;
    }
    raw::put(count, found.len())
}

fn living(graph: &Graph, wanted: impl Fn(&Node) -> bool) -> Vec<usize> {
    graph
        .lock()
        .iter()
        .enumerate()
        .filter(|(_, node)| node.alive && wanted(node))
        .map(|(index, _)| index)
        .collect()
}

/// Numbers of `hipGraphNodeType`.
fn type_number(work: &Work) -> u32 {
    match work {
        Work::Kernel(_) => 0,
        Work::Copy(_) => 1,
        Work::Fill(_) => 2,
        Work::Host(..) | Work::Callback(..) | Work::Call(_) => 3,
        Work::Child(_) => 4,
        Work::Empty => 5,
        Work::Wait(_) => 6,
        Work::Record(_) => 7,
        Work::Allocated(_) => 10,
        Work::Free(_) => 11,
        Work::Write(..) | Work::Poll(_) => 14,
    }
}

fn set_work(node: &mut Node, work: Work) -> Outcome {
    if std::mem::discriminant(&node.work) != std::mem::discriminant(&work) {
        return Err(Code::INVALID_VALUE);
    }
    node.work = work;
    Ok(())
}

fn set(node: Ptr, work: Work) -> Outcome {
    node_of(node)?.with(|node| set_work(node, work))
}

fn set_in_plan(plan: Ptr, node: Ptr, work: Work) -> Outcome {
    let index = node_of(node)?.index;
    PLANS.get(plan)?.with(index, |node| set_work(node, work))
}

fn instantiate(to: *mut Ptr, graph: Ptr, flags: u64) -> Outcome {
    raw::put(
        to,
        PLANS.insert(Arc::new(Plan::new(&*graph_of(graph)?, flags)?)),
    )
}

fn launch(plan: Ptr, handle: Ptr) -> Outcome {
    stream::give(handle, Work::Child(PLANS.get(plan)?), false)
}

/// Nodes of all edges of a graph: what comes first, what comes after.
fn edges(graph: &Graph) -> Vec<(usize, usize)> {
    let nodes = graph.lock();
    let of = |(index, node): (usize, &Node)| {
        node.after
            .iter()
            .map(move |&before| (before, index))
            .collect::<Vec<_>>()
    };
    nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.alive)
        .flat_map(of)
        .collect()
}

fn change_edges(graph: Ptr, from: *const Ptr, to: *const Ptr, count: usize, add: bool) -> Outcome {
    let graph = graph_of(graph)?;
    let (from, to) = (indices(&graph, from, count)?, indices(&graph, to, count)?);
    let mut nodes = graph.lock();
    for (before, index) in from.into_iter().zip(to) {
        let after = &mut nodes[index].after;
        let known = after.contains(&before);
        match (add, known) {
            (true, false) => after.push(before),
            (false, true) => after.retain(|&other| other != before),
            _ => return Err(Code::INVALID_VALUE),
        }
    }
    Ok(())
}

/// The stand-in that a kernel node was made with, for those who ask.
static STAND_INS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

fn note_stand_in(node: Ptr, function: Ptr) {
    STAND_INS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push((node as usize, function as usize));
}

fn stand_in(node: Ptr) -> Ptr {
    let known = STAND_INS.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .iter()
        .rev()
        .find(|(other, _)| *other == node as usize)
        .map_or(std::ptr::null_mut(), |(_, function)| *function as Ptr)
}

export! {
    /// `hipGraphCreate`
    fn hipGraphCreate(to: *mut Ptr, _flags: u32) { raw::put(to, GRAPHS.insert(Arc::default())) }
    /// `hipGraphDestroy`
    fn hipGraphDestroy(graph: Ptr) { GRAPHS.remove(graph).map(drop).map_err(|_| Code::INVALID_VALUE) }
    /// `hipGraphClone`
    fn hipGraphClone(to: *mut Ptr, graph: Ptr) { raw::put(to, GRAPHS.insert(Arc::new(graph_of(graph)?.copy()))) }
    /// `hipGraphNodeFindInClone`
    fn hipGraphNodeFindInClone(to: *mut Ptr, node: Ptr, clone: Ptr) { raw::put(to, graph_of(clone)?.handle(node_of(node)?.index)) }
    /// `hipGraphAddEmptyNode`
    fn hipGraphAddEmptyNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize) { add(to, graph, after, count, Work::Empty) }
    /// `hipGraphAddKernelNode`
    fn hipGraphAddKernelNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, parameters: *const KernelParams) {
        let parameters = raw::get(parameters)?;
        add(to, graph, after, count, parameters.work()?)?;
        note_stand_in(raw::get(to)?, parameters.function);
        Ok(())
    }
    /// `hipGraphAddMemcpyNode`
    fn hipGraphAddMemcpyNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, parameters: *const Copy3d) {
        add(to, graph, after, count, box_work(parameters)?)
    }
    /// `hipGraphAddMemcpyNode1D`
    fn hipGraphAddMemcpyNode1D(
        to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, target: usize, source: usize, len: usize, kind: u32,
    ) {
        add(to, graph, after, count, row_work(target, source, len, kind)?)
    }
    /// `hipGraphAddMemcpyNodeToSymbol`
    fn hipGraphAddMemcpyNodeToSymbol(
        to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, symbol: *const c_void, source: usize, len: usize, offset: usize,
        kind: u32,
    ) {
        add(to, graph, after, count, row_work(symbol_address(symbol, offset, len)?, source, len, kind)?)
    }
    /// `hipGraphAddMemcpyNodeFromSymbol`
    fn hipGraphAddMemcpyNodeFromSymbol(
        to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, target: usize, symbol: *const c_void, len: usize, offset: usize,
        kind: u32,
    ) {
        add(to, graph, after, count, row_work(target, symbol_address(symbol, offset, len)?, len, kind)?)
    }
    /// `hipGraphAddMemsetNode`
    fn hipGraphAddMemsetNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, parameters: *const FillParams) {
        add(to, graph, after, count, raw::get(parameters)?.work()?)
    }
    /// `hipGraphAddHostNode`
    fn hipGraphAddHostNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, parameters: *const HostParams) {
        add(to, graph, after, count, raw::get(parameters)?.work()?)
    }
    /// `hipGraphAddChildGraphNode`
    fn hipGraphAddChildGraphNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, child: Ptr) {
        let plan = Plan::new(&*graph_of(child)?, 0)?;
        add(to, graph, after, count, Work::Child(Arc::new(plan)))
    }
    /// `hipGraphAddEventRecordNode`
    fn hipGraphAddEventRecordNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, event: Ptr) {
        add(to, graph, after, count, Work::Record(EVENTS.get(event)?))
    }
    /// `hipGraphAddEventWaitNode`
    fn hipGraphAddEventWaitNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, event: Ptr) {
        add(to, graph, after, count, Work::Wait(EVENTS.get(event)?))
    }
    /// `hipGraphAddMemAllocNode`
    fn hipGraphAddMemAllocNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, parameters: *mut AllocateParams) {
        let mut wanted = raw::get(parameters)?;
        wanted.address = memory::allocate(wanted.bytes, Kind::Device, 0, current())?;
        raw::put(parameters, wanted)?;
        add(to, graph, after, count, Work::Allocated(wanted.address))
    }
    /// `hipGraphAddMemFreeNode`
    fn hipGraphAddMemFreeNode(to: *mut Ptr, graph: Ptr, after: *const Ptr, count: usize, address: usize) {
        add(to, graph, after, count, Work::Free(address))
    }
    /// `hipGraphAddDependencies`
    fn hipGraphAddDependencies(graph: Ptr, from: *const Ptr, to: *const Ptr, count: usize) {
        change_edges(graph, from, to, count, true)
    }
    /// `hipGraphRemoveDependencies`
    fn hipGraphRemoveDependencies(graph: Ptr, from: *const Ptr, to: *const Ptr, count: usize) {
        change_edges(graph, from, to, count, false)
    }
    /// `hipGraphDestroyNode`
    fn hipGraphDestroyNode(node: Ptr) {
        let handle = NODES.remove(node).map_err(|_| Code::INVALID_VALUE)?;
        handle.with(|node| { node.alive = false; Ok(()) })?;
        handle.graph()?.lock().iter_mut().for_each(|node| node.after.retain(|&before| before != handle.index));
        Ok(())
    }
    /// `hipGraphGetNodes`
    fn hipGraphGetNodes(graph: Ptr, nodes: *mut Ptr, count: *mut usize) {
        let graph = graph_of(graph)?;
        put_nodes(&graph, &living(&graph, |_| true), nodes, count)
    }
    /// `hipGraphGetRootNodes`
    fn hipGraphGetRootNodes(graph: Ptr, nodes: *mut Ptr, count: *mut usize) {
        let graph = graph_of(graph)?;
        put_nodes(&graph, &living(&graph, |node| node.after.is_empty()), nodes, count)
    }
    /// `hipGraphGetEdges`
    fn hipGraphGetEdges(graph: Ptr, from: *mut Ptr, to: *mut Ptr, count: *mut usize) {
        let graph = graph_of(graph)?;
        let (first, second): (Vec<usize>, Vec<usize>) = edges(&graph).into_iter().unzip();
        let mut room = raw::get(count)?;
        put_nodes(&graph, &first, from, &mut room)?;
        put_nodes(&graph, &second, to, count)
    }
    /// `hipGraphNodeGetDependencies`
    fn hipGraphNodeGetDependencies(node: Ptr, nodes: *mut Ptr, count: *mut usize) {
        let node = node_of(node)?;
        let after = node.with(|node| Ok(node.after.clone()))?;
        put_nodes(&node.graph()?, &after, nodes, count)
    }
    /// `hipGraphNodeGetDependentNodes`
    fn hipGraphNodeGetDependentNodes(node: Ptr, nodes: *mut Ptr, count: *mut usize) {
        let node = node_of(node)?;
        let graph = node.graph()?;
        put_nodes(&graph, &living(&graph, |other| other.after.contains(&node.index)), nodes, count)
    }
    /// `hipGraphNodeGetType`
    fn hipGraphNodeGetType(node: Ptr, to: *mut u32) { raw::put(to, node_of(node)?.with(|node| Ok(type_number(&node.work)))?) }
    /// `hipGraphNodeSetEnabled`
    fn hipGraphNodeSetEnabled(plan: Ptr, node: Ptr, enabled: u32) {
        PLANS.get(plan)?.with(node_of(node)?.index, |node| { node.enabled = enabled != 0; Ok(()) })
    }
    /// `hipGraphNodeGetEnabled`
    fn hipGraphNodeGetEnabled(plan: Ptr, node: Ptr, to: *mut u32) {
        raw::put(to, PLANS.get(plan)?.with(node_of(node)?.index, |node| Ok(u32::from(node.enabled)))?)
    }
    /// `hipGraphInstantiate`
    fn hipGraphInstantiate(to: *mut Ptr, graph: Ptr, _error_node: *mut Ptr, _log: *mut i8, _room: usize) { instantiate(to, graph, 0) }
    /// `hipGraphInstantiateWithFlags`
    fn hipGraphInstantiateWithFlags(to: *mut Ptr, graph: Ptr, flags: u64) { instantiate(to, graph, flags) }
    /// `hipGraphExecGetFlags`
    fn hipGraphExecGetFlags(plan: Ptr, flags: *mut u64) { raw::put(flags, PLANS.get(plan)?.flags) }
    /// `hipGraphLaunch`
    fn hipGraphLaunch(plan: Ptr, stream: Ptr) { launch(plan, stream) }
    /// `hipGraphUpload`
    fn hipGraphUpload(plan: Ptr, stream: Ptr) {
        stream::find(stream)?;
        PLANS.get(plan).map(drop)
    }
    /// `hipGraphExecDestroy`
    fn hipGraphExecDestroy(plan: Ptr) { PLANS.remove(plan).map(drop) }
    /// `hipGraphExecUpdate`
    fn hipGraphExecUpdate(plan: Ptr, graph: Ptr, error_node: *mut Ptr, result: *mut u32) {
        let outcome = PLANS.get(plan)?.update(&*graph_of(graph)?);
        raw::put_if(error_node, std::ptr::null_mut());
        raw::put_if(result, u32::from(outcome.is_err()));
        outcome
    }
    /// `hipGraphKernelNodeGetParams`
    fn hipGraphKernelNodeGetParams(node: Ptr, to: *mut KernelParams) {
        let work = node_of(node)?.with(|node| Ok(node.work.clone()))?;
        let Work::Kernel(launch) = work else { return Err(Code::INVALID_VALUE) };
        raw::put(to, kernel_params(&launch, stand_in(node)))
    }
    /// `hipGraphKernelNodeSetParams`
    fn hipGraphKernelNodeSetParams(node: Ptr, parameters: *const KernelParams) {
        let parameters = raw::get(parameters)?;
        note_stand_in(node, parameters.function);
        set(node, parameters.work()?)
    }
    /// `hipGraphExecKernelNodeSetParams`
    fn hipGraphExecKernelNodeSetParams(plan: Ptr, node: Ptr, parameters: *const KernelParams) {
        set_in_plan(plan, node, raw::get(parameters)?.work()?)
    }
    /// `hipGraphMemcpyNodeSetParams`
    fn hipGraphMemcpyNodeSetParams(node: Ptr, parameters: *const Copy3d) { set(node, box_work(parameters)?) }
    /// `hipGraphExecMemcpyNodeSetParams`
    fn hipGraphExecMemcpyNodeSetParams(plan: Ptr, node: Ptr, parameters: *const Copy3d) {
        set_in_plan(plan, node, box_work(parameters)?)
    }
    /// `hipGraphMemcpyNodeSetParams1D`
    fn hipGraphMemcpyNodeSetParams1D(node: Ptr, to: usize, from: usize, len: usize, kind: u32) { set(node, row_work(to, from, len, kind)?) }
    /// `hipGraphExecMemcpyNodeSetParams1D`
    fn hipGraphExecMemcpyNodeSetParams1D(plan: Ptr, node: Ptr, to: usize, from: usize, len: usize, kind: u32) {
        set_in_plan(plan, node, row_work(to, from, len, kind)?)
    }
    /// `hipGraphMemsetNodeGetParams`
    fn hipGraphMemsetNodeGetParams(node: Ptr, to: *mut FillParams) {
        let work = node_of(node)?.with(|node| Ok(node.work.clone()))?;
        let Work::Fill(fill) = work else { return Err(Code::INVALID_VALUE) };
        raw::put(to, FillParams::of(&fill))
    }
    /// `hipGraphMemsetNodeSetParams`
    fn hipGraphMemsetNodeSetParams(node: Ptr, parameters: *const FillParams) { set(node, raw::get(parameters)?.work()?) }
    /// `hipGraphExecMemsetNodeSetParams`
    fn hipGraphExecMemsetNodeSetParams(plan: Ptr, node: Ptr, parameters: *const FillParams) {
        set_in_plan(plan, node, raw::get(parameters)?.work()?)
    }
    /// `hipGraphHostNodeSetParams`
    fn hipGraphHostNodeSetParams(node: Ptr, parameters: *const HostParams) { set(node, raw::get(parameters)?.work()?) }
    /// `hipGraphExecHostNodeSetParams`
    fn hipGraphExecHostNodeSetParams(plan: Ptr, node: Ptr, parameters: *const HostParams) {
        set_in_plan(plan, node, raw::get(parameters)?.work()?)
    }
    /// `hipGraphHostNodeGetParams`
    fn hipGraphHostNodeGetParams(node: Ptr, to: *mut HostParams) {
        let work = node_of(node)?.with(|node| Ok(node.work.clone()))?;
        let Work::Host(function, data) = work else { return Err(Code::INVALID_VALUE) };
        raw::put(to, HostParams { function: Some(function), data: data as Ptr })
    }
    /// `hipGraphExecChildGraphNodeSetParams`
    fn hipGraphExecChildGraphNodeSetParams(plan: Ptr, node: Ptr, child: Ptr) {
        let child = Plan::new(&*graph_of(child)?, 0)?;
        set_in_plan(plan, node, Work::Child(Arc::new(child)))
    }
    /// `hipGraphExecEventRecordNodeSetEvent`
    fn hipGraphExecEventRecordNodeSetEvent(plan: Ptr, node: Ptr, event: Ptr) { set_in_plan(plan, node, Work::Record(EVENTS.get(event)?)) }
    /// `hipGraphExecEventWaitNodeSetEvent`
    fn hipGraphExecEventWaitNodeSetEvent(plan: Ptr, node: Ptr, event: Ptr) { set_in_plan(plan, node, Work::Wait(EVENTS.get(event)?)) }
    /// `hipGraphMemFreeNodeGetParams`
    fn hipGraphMemFreeNodeGetParams(node: Ptr, to: *mut usize) {
        let work = node_of(node)?.with(|node| Ok(node.work.clone()))?;
        let Work::Free(address) = work else { return Err(Code::INVALID_VALUE) };
        raw::put(to, address)
    }
    /// `hipDeviceGraphMemTrim`: freed memory is given back at once.
    fn hipDeviceGraphMemTrim(device: i32) { super::device::is_device(device) }
}
