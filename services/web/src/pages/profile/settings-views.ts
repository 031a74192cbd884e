import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { NUTRIENTS } from "@nutrition/core/nutrients";

import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import type { FieldValues } from "./field-views.ts";
import { amountField, choiceField, dayField } from "./field-views.ts";
import { timezoneField } from "./timezone-field.ts";

/** The form of daily goals. */
export function goalsSection(values: FieldValues, visit: Visit): Markup {
  return settingsForm(
    { id: "goals", title: "Daily goals", visit },
    markup`
    <p class="soft">Leave a field empty to have no goal for it.</p>
    <div class="fields">
      ${NUTRIENTS.map(({ key, unit }) => amountField(values, `goals.${key}`, unit))}
    </div>`,
  );
}

/** The form about water. */
export function waterSection(values: FieldValues, visit: Visit): Markup {
  return settingsForm(
    { id: "water", title: "Water", visit },
    markup`
    <div class="fields">
      ${choiceField(values, "water_enabled", [
        ["true", "Show water"],
        ["false", "Do not show water"],
      ])}
      ${amountField(values, "goals.water_milliliters", "ml")}
      ${choiceField(values, "water_unit", [
        ["ml", "Milliliters"],
        ["l", "Liters"],
        ["fl_oz", "Fluid ounces (US)"],
      ])}
    </div>`,
  );
}

/**
 * The form for the time zone, which decides when days begin; preselects `proposed` if none was
 * chosen.
 */
export function timezoneSection(values: FieldValues, proposed: string, visit: Visit): Markup {
  return settingsForm(
    { id: "place", title: "Time zone", visit },
    markup`
    ${timezoneField(values, proposed)}
    <p class="hint">Your day begins and ends at midnight there. Days that are already written keep
      their date.</p>`,
  );
}

/** The form for the health profile. */
export function bodySection(values: FieldValues, today: string, visit: Visit): Markup {
  return settingsForm(
    { id: "body", title: "About you", visit },
    markup`
    <p class="soft">All of this is optional. Assistants that you connected can read it, to give
      better advice.</p>
    <div class="fields">
      ${choiceField(values, "health_profile.sex", [
        ["", "Not given"],
        ["female", "Female"],
        ["male", "Male"],
        ["other", "Other"],
      ])}
      ${dayField(values, "health_profile.birth_date", today)}
      ${amountField(values, "health_profile.height_cm", "cm")}
      ${amountField(values, "health_profile.weight_kg", "kg")}
    </div>
    ${choiceField(values, "health_profile.activity_level", [
      ["", "Not given"],
      ["sedentary", "Mostly sitting"],
      ["light", "Light: on your feet part of the day"],
      ["moderate", "Moderate: some sport"],
      ["active", "Active: sport most days"],
      ["very_active", "Very active: hard work or training"],
    ])}
    <p class="hint">The weight here is a part of what you tell about yourself, and stays as you write
      it. What you weigh from day to day belongs under <a href="#weights">Weights</a>.</p>`,
  );
}

/** The form for the bias of estimates. */
export function estimatesSection(values: FieldValues, visit: Visit): Markup {
  return settingsForm(
    { id: "estimates", title: "Estimates", visit },
    markup`
    ${choiceField(values, "calorie_estimation_bias", [
      ["", "No preference"],
      ["lower", "Estimate lower"],
      ["neutral", "Estimate in the middle"],
      ["higher", "Estimate higher"],
    ])}
    <p class="hint">“A bowl of soup” may be small or large. Choose lower if estimates tend to be too
      high for you, higher if you would rather not count too little. Only food that is logged or
      corrected from now on follows.</p>`,
  );
}

function settingsForm(
  { id, title, visit }: { id: string; title: string; visit: Visit },
  content: Markup,
): Markup {
  return markup`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <form method="post" action="/settings/profile">
      ${csrfField(visit)}
      ${content}
      <div class="actions"><button>Save<span class="unseen"> ${title}</span></button></div>
    </form>
  </section>`;
}
