import type { FieldValue, FormReading } from "./profile-fields.ts";
import { PROFILE_FIELDS, parseProfileField } from "./profile-fields.ts";

/** Prefix of the hidden field that holds the value shown when the form was opened. */
export const SHOWN_BEFORE = "was.";

/** Changes and errors of a form, by field. */
export interface ProfileChange {
  readonly values: ReadonlyMap<string, FieldValue>;
  readonly errors: Readonly<Record<string, string>>;
}

/**
 * Finds the fields that differ from what the form showed when it was opened. Absent or unchanged
 * fields keep their stored value, which another form may have set meanwhile.
 */
export function parseProfileChange(
  form: ReadonlyMap<string, string>,
  reading: FormReading,
): ProfileChange {
  const values = new Map<string, FieldValue>();
  const errors: Record<string, string> = {};
  for (const [name, field] of Object.entries(PROFILE_FIELDS)) {
    const text = form.get(name);
    if (text === undefined || text === form.get(SHOWN_BEFORE + name)) continue;
    const parsed = parseProfileField(field, text, reading);
    if ("error" in parsed) errors[name] = parsed.error;
    else values.set(name, parsed.value);
  }
  return { values, errors };
}

/**
 * Converts the values to the JSON form of a settings message; null values are omitted, which clears
 * them.
 */
export function settingsJson(values: ReadonlyMap<string, FieldValue>): Record<string, FieldJson> {
  const settings: Record<string, FieldJson> = {};
  for (const [path, value] of values) {
    if (value === null) continue;
    const [first, second] = path.split(".") as [string, string?];
    if (second === undefined) settings[first] = value;
    else settings[first] = { ...(settings[first] as object | undefined), [second]: value };
  }
  return settings;
}

type FieldJson = Exclude<FieldValue, null> | { [name: string]: Exclude<FieldValue, null> };
