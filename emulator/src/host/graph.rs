//! Graphs: nodes of work with what they come after, captures that fill them, and plans that run them.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::ThreadId;

use super::error::{Code, Outcome};
use super::handles::Handles;
use super::raw::Ptr;
use super::stream::{self, Stream};
use super::work::Work;

/// `hipStreamCaptureModeRelaxed`
const RELAXED: u32 = 2;

/// A node: work, the indices of the nodes that it comes after, whether it runs.
#[derive(Clone)]
pub struct Node {
    /// What it does.
    pub work: Work,
    /// What must be done before.
    pub after: Vec<usize>,
    /// `hipGraphNodeSetEnabled`
    pub enabled: bool,
    /// Not destroyed; the index of a destroyed node stays taken.
    pub alive: bool,
}

/// A graph.
#[derive(Default)]
pub struct Graph {
    nodes: Mutex<Vec<Node>>,
    handles: Mutex<Vec<(usize, usize)>>,
}

/// What a `hipGraphNode_t` stands for.
pub struct NodeHandle {
    /// The graph that it is in.
    pub graph: Weak<Graph>,
    /// Its index there.
    pub index: usize,
}

/// A stream that is being captured into a graph.
pub struct Capture {
    /// The graph that takes the work.
    pub graph: Arc<Graph>,
    /// Handle of the stream that began it.
    pub origin: usize,
    /// `hipStreamCaptureMode`: 0 global, 1 of the thread, 2 relaxed.
    pub mode: u32,
    /// The thread that began it.
    pub thread: ThreadId,
    /// A number that no other capture has.
    pub number: u64,
}

/// All graphs, nodes and plans.
pub static GRAPHS: Handles<Graph> = Handles::new();
/// Nodes.
pub static NODES: Handles<NodeHandle> = Handles::new();
/// Instantiated graphs (`hipGraphExec_t`).
pub static PLANS: Handles<Plan> = Handles::new();

impl Graph {
    /// The nodes.
    pub fn lock(&self) -> MutexGuard<'_, Vec<Node>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new node behind others; its index.
    pub fn add(&self, work: Work, after: Vec<usize>) -> usize {
        let mut nodes = self.lock();
        nodes.push(Node {
            work,
            after,
            enabled: true,
            alive: true,
        });
        nodes.len() - 1
    }

    /// The handle of a node; asking twice gives the same one.
    pub fn handle(self: &Arc<Self>, index: usize) -> Ptr {
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, handle)) = handles.iter().find(|(known, _)| *known == index) {
            return *handle as Ptr;
        }
        let handle = NODES.insert(Arc::new(NodeHandle {
            graph: Arc::downgrade(self),
            index,
        }));
        handles.push((index, handle as usize));
        handle
    }

    /// A copy with nodes of its own; the indices stay.
    pub fn copy(&self) -> Graph {
        Graph {
            nodes: Mutex::new(self.lock().clone()),
            handles: Mutex::default(),
        }
    }

    /// Indices of living nodes in an order that respects what comes after what; `hipErrorInvalidValue` where there is a cycle.
    pub fn order(&self) -> Outcome<Vec<usize>> {
        let nodes = self.lock();
        let mut waiting: Vec<usize> = nodes
            .iter()
            .map(|node| node.after.iter().filter(|&&k| nodes[k].alive).count())
            .collect();
        let mut followers = vec![Vec::new(); nodes.len()];
        for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.alive) {
            node.after
                .iter()
                .for_each(|&before| followers[before].push(index));
        }
        let mut order: Vec<usize> = (0..nodes.len())
            .filter(|&k| nodes[k].alive && waiting[k] == 0)
            .collect();
        let mut at = 0;
        while let Some(&index) = order.get(at) {
            for &next in &followers[index] {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    order.push(next);
                }
            }
            at += 1;
        }
        let living = nodes.iter().filter(|node| node.alive).count();
        if order.len() == living {
            Ok(order)
        } else {
            Err(Code::INVALID_VALUE)
        }
    }
}

impl NodeHandle {
    /// The graph, if it lives.
    pub fn graph(&self) -> Outcome<Arc<Graph>> {
        self.graph.upgrade().ok_or(Code::INVALID_VALUE)
    }

    /// Changes or reads the node.
    pub fn with<R>(&self, f: impl FnOnce(&mut Node) -> Outcome<R>) -> Outcome<R> {
        let graph = self.graph()?;
        let mut nodes = graph.lock();
        f(nodes
            .get_mut(self.index)
            .filter(|node| node.alive)
            .ok_or(Code::INVALID_VALUE)?)
    }
}

/// An instantiated graph: the nodes as they were, in the order in which they run.
pub struct Plan {
    order: Vec<usize>,
    nodes: Mutex<Vec<Node>>,
    /// `hipGraphExecGetFlags`
    pub flags: u64,
}

impl Plan {
    /// Takes a graph as it is now.
    pub fn new(graph: &Graph, flags: u64) -> Outcome<Plan> {
        Ok(Plan {
            order: graph.order()?,
            nodes: Mutex::new(graph.lock().clone()),
            flags,
        })
    }

    /// Runs all nodes that are enabled.
    pub fn run(&self) {
        let nodes = self
            .nodes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        for &index in self.order.iter().filter(|&&index| nodes[index].enabled) {
            nodes[index].work.run();
        }
    }

    /// Changes or reads a node by its index in the graph.
    pub fn with<R>(&self, index: usize, f: impl FnOnce(&mut Node) -> Outcome<R>) -> Outcome<R> {
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        f(nodes
            .get_mut(index)
            .filter(|node| node.alive)
            .ok_or(Code::INVALID_VALUE)?)
    }

    /// Takes over the work of a graph of the same shape; `hipErrorGraphExecUpdateFailure` where it has another one.
    pub fn update(&self, graph: &Graph) -> Outcome {
        let new = graph.lock().clone();
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |(old, new): (&Node, &Node)| {
            old.after == new.after
                && std::mem::discriminant(&old.work) == std::mem::discriminant(&new.work)
        };
        if new.len() != nodes.len() || !nodes.iter().zip(&new).all(same) {
            return Err(Code::GRAPH_UPDATE_FAILURE);
        }
        *nodes = new;
        Ok(())
    }
}

/// Lets a stream take part in a capture: it waited for an event that was recorded there.
pub fn join(stream: &Stream, capture: &Arc<Capture>, nodes: Vec<usize>) -> Outcome {
    let mut after = match stream.capture() {
        Some((own, after)) if Arc::ptr_eq(&own, capture) => after,
        Some(_) => return Err(Code(902)),
        None => Vec::new(),
    };
    after.extend(
        nodes
            .into_iter()
            .filter(|node| !after.contains(node))
            .collect::<Vec<_>>(),
    );
    stream.set_capture(Some((capture.clone(), after)));
    Ok(())
}

/// Captures that are on: most programs have none, and the null stream asks at each of its tasks.
static CAPTURES: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// What `hipThreadExchangeStreamCaptureMode` set for this thread.
    static MODE: Cell<u32> = const { Cell::new(0) };
}

/// A capture began.
pub fn capture_began() {
    CAPTURES.fetch_add(1, Ordering::Relaxed);
}

/// A capture ended.
pub fn capture_ended() {
    CAPTURES.fetch_sub(1, Ordering::Relaxed);
}

/// Sets the thread's mode; the one that it had.
pub fn exchange_mode(mode: u32) -> u32 {
    MODE.replace(mode)
}

/// Is the legacy stream forbidden? So it is while a capture is on that is not relaxed, unless the thread itself is.
pub fn is_legacy_forbidden() -> bool {
    if CAPTURES.load(Ordering::Relaxed) == 0 || MODE.get() == RELAXED {
        return false;
    }
    let here = std::thread::current().id();
    stream::all()
        .iter()
        .filter_map(|stream| stream.capture())
        .any(|(capture, _)| match capture.mode {
            0 => true,
            1 => capture.thread == here,
            _ => false,
        })
}
