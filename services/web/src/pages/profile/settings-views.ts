import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { NUTRIENTS } from "@nutrition/core/nutrients";
import { unitName } from "@nutrition/core/units";

import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import { unitsText } from "../../domain/units.ts";
import type { FieldValues } from "./field-views.ts";
import { amountField, choiceField, dayField } from "./field-views.ts";
import { timezoneField } from "./timezone-field.ts";

/** Name of the hidden field with the units that the form was labelled with. */
export const UNITS_FIELD = "units";

function goalsGroup(values: FieldValues): Markup {
  const unitOf = (unit: string) => (unit === "kcal" ? values.units.energy : unit);
  return settingsGroup(
    "goals",
    "Daily goals",
    markup`
    <p class="soft">Leave a field empty to have no goal for it.</p>
    <div class="fields">
      ${NUTRIENTS.map(({ key, unit }) => amountField(values, `goals.${key}`, unitOf(unit)))}
    </div>`,
  );
}

function waterGroup(values: FieldValues): Markup {
  return settingsGroup(
    "water",
    "Water",
    markup`
    <div class="fields">
      ${choiceField(values, "water_enabled", [
        ["true", "Show water"],
        ["false", "Do not show water"],
      ])}
      ${amountField(values, "goals.water_milliliters", unitName(values.units.water))}
    </div>`,
  );
}

/** The time zone decides when days begin; preselects `proposed` if none was chosen. */
function timezoneGroup(values: FieldValues, proposed: string): Markup {
  return settingsGroup(
    "place",
    "Time zone",
    markup`
    ${timezoneField(values, proposed)}
    <p class="hint">Your day begins and ends at midnight there. Days that are already written keep
      their date.</p>`,
  );
}

function bodyGroup(values: FieldValues, today: string): Markup {
  return settingsGroup(
    "body",
    "About you",
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
      ${amountField(values, "health_profile.height_cm", values.units.height)}
      ${amountField(values, "health_profile.weight_kg", values.units.weight)}
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

function unitsGroup(values: FieldValues): Markup {
  return settingsGroup(
    "units",
    "Units",
    markup`
    <div class="fields">
      ${choiceField(values, "units.energy", [
        ["kcal", "Kilocalories"],
        ["kJ", "Kilojoules"],
      ])}
      ${choiceField(values, "units.weight", [
        ["kg", "Kilograms"],
        ["lb", "Pounds"],
        ["st", "Stones and pounds"],
      ])}
      ${choiceField(values, "units.height", [
        ["cm", "Centimeters"],
        ["ft", "Feet and inches"],
      ])}
      ${choiceField(values, "water_unit", [
        ["ml", "Milliliters"],
        ["l", "Liters"],
        ["fl_oz", "Fluid ounces (US)"],
      ])}
    </div>
    <p class="hint">For these pages. Assistants, the API and exports always use kcal, kg, cm and ml.</p>`,
  );
}

function estimatesGroup(values: FieldValues): Markup {
  return settingsGroup(
    "estimates",
    "Estimates",
    markup`
    ${choiceField(values, "calorie_estimation_bias", [
      ["", "No preference"],
      ["lower", "Estimate lower"],
      ["neutral", "Estimate in the middle"],
      ["higher", "Estimate higher"],
    ])}
    <p class="hint">“A bowl of soup” may be small or large. Choose lower if estimates tend to be too
      high for you, higher if you would rather not count too little. The choice applies to food
      that is logged or corrected from now on.</p>`,
  );
}

function settingsGroup(id: string, title: string, content: Markup): Markup {
  return markup`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** One form around all groups, so that saving one never loses what was typed in another. */
export function settingsForm(
  values: FieldValues,
  { today, proposedTimezone }: { today: string; proposedTimezone: string },
  visit: Visit,
): Markup {
  return markup`<form method="post" action="/settings/profile" class="settings">
    ${csrfField(visit)}
    <input type="hidden" name="${UNITS_FIELD}" value="${unitsText(values.units)}" />
    ${goalsGroup(values)}
    ${waterGroup(values)}
    ${timezoneGroup(values, proposedTimezone)}
    ${unitsGroup(values)}
    ${bodyGroup(values, today)}
    ${estimatesGroup(values)}
    <div class="save"><button>Save the profile</button></div>
  </form>`;
}
