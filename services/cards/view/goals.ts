import { NUTRIENTS } from "@nutrition/core/nutrients";

import { runCard } from "./card.ts";
import { el, foreign } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { Profile } from "./documents.ts";
import { amount, energy, water } from "./formats.ts";

const ESTIMATES: Readonly<Record<string, string>> = {
  lower: "10 % lower than found",
  higher: "10 % higher than found",
};

runCard<Profile>(({ document: { profile, settings } }) => {
  const plan = [
    ...(profile.has_premium ? ["premium"] : []),
    ...(profile.is_beta_tester ? ["beta"] : []),
  ];
  return [
    el(
      "h1",
      {},
      profile.name === null ? "Daily goals" : ["Daily goals of ", foreign(profile.name)],
    ),
    settings === null
      ? el("p", { class: "soft" }, "No goals are set yet.")
      : el("dl", { class: "facts" }, goals(settings)),
    el(
      "dl",
      { class: "facts minor" },
      fact("Time zone", settings?.timezone ?? "UTC"),
      fact("Estimates of energy", ESTIMATES[settings?.calorie_estimation_bias ?? ""] ?? "as found"),
      fact("Plan", plan.join(", ") || "free"),
    ),
  ];
});

function goals({ nutrition_goals: goals, water: { enabled, unit } }: Settings): Child[] {
  const volume = goals.water_milliliters;
  return [
    ...NUTRIENTS.map(({ key, label, unit }) => {
      const goal = goals[key];
      return fact(
        label,
        goal === null ? undefined : unit === "kcal" ? energy(goal) : amount(goal, unit),
        key,
      );
    }),
    enabled &&
      fact("Water", volume === null ? undefined : water(volume, unit), "water_milliliters"),
  ];
}

type Settings = NonNullable<Profile["settings"]>;

function fact(name: string, value: string | undefined, kind = ""): HTMLElement {
  return el(
    "div",
    { class: kind },
    el("dt", {}, name),
    el("dd", {}, value ?? el("span", { class: "soft" }, "not set")),
  );
}
