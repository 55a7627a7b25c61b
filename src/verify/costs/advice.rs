//! What a person would look at first, each with the counts that say so. `docs/howto/costs.md` has the rules.

use serde::Serialize;

use super::cost::{Cost, percent, ratio};
use super::ptxas::Ptxas;

/// Vector registers that a lane of AMD's chips can have, those for accumulation aside.
const MOST_REGISTERS: u64 = 256;
/// Groups up to which a kernel is compiled that says nothing of them.
const LARGEST_GROUP: u64 = 1024;

/// One piece of advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Advice {
    /// What it is called in the documentation.
    pub(crate) name: &'static str,
    /// For people, with the figures.
    pub(crate) text: String,
}

/// What is to be said of a kernel, which was counted on chips, the first of which is spoken of, and of which `ptxas` may have told.
pub(crate) fn advice(counted: &[&Cost], cuda: Option<&Ptxas>) -> Vec<Advice> {
    let Some(first) = counted.first() else {
        return Vec::new();
    };
    let narrow = counted
        .iter()
        .find(|other| other.wavefront < first.wavefront);
    let found = [
        ("empty-lanes", first.empty_lanes()),
        (
            "idle-half",
            narrow.and_then(|narrow| first.idle_half(narrow)),
        ),
        ("spills", first.spills(cuda)),
        ("bank-conflicts", first.bank_conflicts()),
        ("scattered-lines", first.scattered_lines()),
        ("few-waves", first.few_waves()),
        ("atomics-meet", first.atomics_meet()),
    ];
    let mut found: Vec<Advice> = found
        .into_iter()
        .filter_map(|(name, text)| Some(Advice { name, text: text? }))
        .collect();
    let is_told = |name: &str| found.iter().any(|it| it.name == name);
    if !is_told("empty-lanes") && !is_told("idle-half") {
        let text = first.idle_lanes();
        let name = "idle-lanes";
        found.splice(0..0, text.map(|text| Advice { name, text }));
    }
    found
}

impl Cost {
    /// The lanes that take part, in percent of all lanes of its waves.
    fn at_work(&self) -> f64 {
        percent(self.executed.lanes_on, self.executed.lanes)
    }

    fn empty_lanes(&self) -> Option<String> {
        (self.threads < self.wavefront).then(|| {
            format!(
                "a group of {} threads leaves {} of {} lanes of its wave empty: larger groups, or several tiles in one",
                self.threads,
                self.wavefront - self.threads,
                self.wavefront
            )
        })
    }

    fn idle_lanes(&self) -> Option<String> {
        (self.at_work() < 60.0).then(|| {
            format!(
                "{:.1} % of the lanes are at work: branches that lanes of one wave take differently, or work for 32 lanes on waves of {}",
                self.at_work(),
                self.wavefront
            )
        })
    }

    /// Work for 32 lanes: narrow waves are full where wide ones are half empty.
    fn idle_half(&self, narrow: &Self) -> Option<String> {
        let (wide, thin) = (self.at_work(), narrow.at_work());
        let exchanges = self.executed.classes.get("exchange").copied().unwrap_or(0);
        let how = match exchanges {
            0 => "tiles of",
            _ => "exchanges and tiles of",
        };
        (wide <= 0.6 * thin && thin >= 50.0).then(|| {
            format!(
                "{wide:.1} % of the lanes are at work on waves of {}, {thin:.1} % on waves of {}, with {exchanges} exchanges between lanes: work for 32 lanes leaves half of a wave idle; make {how} {} lanes, or give the other half a tile of its own",
                self.wavefront, narrow.wavefront, self.wavefront
            )
        })
    }

    fn spills(&self, cuda: Option<&Ptxas>) -> Option<String> {
        let spilled = self.registers.vector_spills;
        if spilled == 0 {
            return None;
        }
        let used = self.registers.vector - self.registers.accumulation.min(self.registers.vector);
        let mut text = format!("{spilled} vector registers go through scratch: ");
        text += &match (used < MOST_REGISTERS, self.threads < LARGEST_GROUP) {
            (true, true) => format!(
                "{used} are in use of the {MOST_REGISTERS} that a lane can have, so that a bound on groups holds them down, {LARGEST_GROUP} threads where none stands; no launch has more than {} threads a group: `__launch_bounds__({})`",
                self.threads, self.threads
            ),
            (true, false) => format!(
                "{used} are in use of the {MOST_REGISTERS} that a lane can have, since groups have {} threads: smaller groups, or fewer values at a time",
                self.threads
            ),
            (false, _) => "all that a lane can have are in use: fewer values at a time".to_owned(),
        };
        if let Some(cuda) = cuda.filter(|cuda| cuda.spill_stores == 0) {
            text += &format!(
                "; CUDA's compiler spills none of it, with {} registers for {}",
                cuda.registers, cuda.arch
            );
        }
        Some(text)
    }

    fn bank_conflicts(&self) -> Option<String> {
        let run = &self.executed;
        (run.lds_passes >= 2 * run.lds_groups.max(1)).then(|| {
            format!(
                "LDS takes {:.1} passes where one would do: a row of one more element puts neighbours into other banks",
                ratio(run.lds_passes, run.lds_groups)
            )
        })
    }

    fn scattered_lines(&self) -> Option<String> {
        let run = &self.executed;
        (run.global_lines >= 2 * run.global_lines_packed.max(1)).then(|| {
            format!(
                "{:.1} times the lines that the bytes need: neighbouring lanes should touch neighbouring elements",
                ratio(run.global_lines, run.global_lines_packed)
            )
        })
    }

    fn few_waves(&self) -> Option<String> {
        (4 * self.occupancy.waves <= self.occupancy.most).then(|| {
            format!(
                "{} of {} waves: little is there to hide the latency of memory",
                self.occupancy.waves, self.occupancy.most
            )
        })
    }

    fn atomics_meet(&self) -> Option<String> {
        let run = &self.executed;
        (2 * run.atomics_met > run.atomic_lanes).then(|| {
            "most atomics meet others of their wave at one address: add up within the wave first"
                .to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 256 threads a group, all lanes at work, nothing to say.
    const CALM: &str = r#"{"kernel":"_Z1kPf","chip":"wide","wavefront":64,"launches":1,"groups":1,"waves":4,"threads":256,"registers":{"vector":32,"accumulation":0,"scalar":40,"vector_spills":0,"scalar_spills":0},"lds":{"fixed":0,"dynamic":0},"scratch":0,"occupancy":{"groups":8,"waves":32,"most":32,"limit":"slots"},"executed":{"instructions":100,"classes":{"exchange":20,"vector":80},"lanes_on":6400,"lanes":6400,"divergences":0,"barriers":0,"global_requests":0,"global_lines":0,"global_lines_packed":0,"line_bytes":64,"atomic_lanes":0,"atomics_met":0,"lds_groups":0,"lds_passes":0}}"#;

    fn cost(changes: &[(&str, &str)]) -> Cost {
        let text = changes.iter().fold(CALM.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replace(old, new)
        });
        serde_json::from_str(&text).unwrap()
    }

    fn names(counted: &[&Cost]) -> Vec<&'static str> {
        advice(counted, None).iter().map(|it| it.name).collect()
    }

    #[test]
    fn half_of_a_wave_is_idle_where_narrow_waves_are_full() {
        let calm = cost(&[]);
        let half = cost(&[("\"lanes_on\":6400", "\"lanes_on\":3200")]);
        let narrow = cost(&[("\"wavefront\":64", "\"wavefront\":32")]);
        assert!(names(&[&calm, &narrow]).is_empty());
        let told = advice(&[&half, &narrow], None);
        assert_eq!(told[0].name, "idle-half");
        assert!(told[0].text.starts_with("50.0 % of the lanes are at work on waves of 64, 100.0 % on waves of 32, with 20 exchanges"));
        // Without the other width, or where that is half empty too, the cause is not known.
        assert_eq!(names(&[&half]), ["idle-lanes"]);
        let thin = cost(&[
            ("\"wavefront\":64", "\"wavefront\":32"),
            ("\"lanes_on\":6400", "\"lanes_on\":3200"),
        ]);
        assert_eq!(names(&[&half, &thin]), ["idle-lanes"]);
    }

    #[test]
    fn spills_say_what_holds_registers_down() {
        let text = |changes: &[(&str, &str)], cuda: Option<&Ptxas>| {
            let told = advice(&[&cost(changes)], cuda);
            assert_eq!((told.len(), told[0].name), (1, "spills"));
            told[0].text.clone()
        };
        let spilled = ("\"vector_spills\":0", "\"vector_spills\":75");
        let held = [spilled, ("\"vector\":32", "\"vector\":128")];
        let told = text(&held, None);
        assert!(
            told.starts_with("75 vector registers go through scratch: 128 are in use of the 256"),
            "{told}"
        );
        assert!(told.ends_with("`__launch_bounds__(256)`"), "{told}");
        let full = [spilled, ("\"vector\":32", "\"vector\":256")];
        assert!(text(&full, None).contains("all that a lane can have"));
        let large = [held[0], held[1], ("\"threads\":256", "\"threads\":1024")];
        assert!(text(&large, None).contains("since groups have 1024 threads"));
        let cuda = Ptxas {
            arch: "sm_90".to_owned(),
            registers: 168,
            ..Ptxas::default()
        };
        assert!(
            text(&held, Some(&cuda)).ends_with("spills none of it, with 168 registers for sm_90")
        );
        let both = Ptxas {
            spill_stores: 4,
            ..cuda
        };
        assert!(text(&held, Some(&both)).ends_with("`__launch_bounds__(256)`"));
    }

    #[test]
    fn each_rule_has_its_line() {
        for (changes, expected) in [
            (&[("\"threads\":256", "\"threads\":32")][..], "empty-lanes"),
            (
                &[
                    ("\"lds_groups\":0", "\"lds_groups\":10"),
                    ("\"lds_passes\":0", "\"lds_passes\":20"),
                ],
                "bank-conflicts",
            ),
            (
                &[
                    ("\"global_lines\":0", "\"global_lines\":20"),
                    ("\"global_lines_packed\":0", "\"global_lines_packed\":10"),
                ],
                "scattered-lines",
            ),
            (&[("\"waves\":32", "\"waves\":8")], "few-waves"),
            (
                &[
                    ("\"atomic_lanes\":0", "\"atomic_lanes\":10"),
                    ("\"atomics_met\":0", "\"atomics_met\":6"),
                ],
                "atomics-meet",
            ),
        ] {
            assert_eq!(names(&[&cost(changes)]), [expected]);
        }
    }
}
