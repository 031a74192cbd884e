import type { Arguments, Command } from "../command.ts";
import { CALL } from "../call-options.ts";
import { numberOption, optionNumber } from "../options.ts";
import { formatTable } from "../table.ts";
import { nameSubjects } from "../usage-names.ts";

const OPTIONS = [
  numberOption("--hours <N>", "how far back to look", { min: 1, max: 720, default: 24 }),
];

function rangeSeconds(given: Arguments): number {
  return optionNumber(given, "hours") * 3_600;
}

const top: Command = {
  summary: "Show who used the most.",
  details: ["Key owners are looked up among the other subjects and the 500 oldest accounts."],
  options: OPTIONS,
  positionals: [],
  async run(services, given) {
    const request = { rangeSeconds: rangeSeconds(given) };
    const { subjects } = await services.limits.listTopSubjects(request, CALL);
    const names = await nameSubjects(
      services.auth,
      subjects.map(({ subject }) => subject),
    );
    const rows = subjects.map(({ subject, units }) => ({
      subject,
      ...(names.get(subject) ?? { email: null, key_name: null }),
      units: Number(units),
    }));
    const text = formatTable(
      rows,
      [
        ["subject", (row) => row.subject],
        ["e-mail", (row) => row.email],
        ["key name", (row) => row.key_name],
        ["units", (row) => String(row.units)],
      ],
      "There was no usage.",
    );
    return { json: rows, text };
  },
};

const refusals: Command = {
  summary: "Show how often each limit refused requests.",
  details: [],
  options: OPTIONS,
  positionals: [],
  async run(services, given) {
    const request = { rangeSeconds: rangeSeconds(given) };
    const { policies } = await services.limits.listRefusals(request, CALL);
    const rows = policies.map(({ policy, refusals: count }) => ({
      policy,
      refusals: Number(count),
    }));
    const text = formatTable(
      rows,
      [
        ["policy", (row) => row.policy],
        ["refusals", (row) => String(row.refusals)],
      ],
      "Nothing was refused.",
    );
    return { json: rows, text };
  },
};

/** Commands for usage. */
export const usageCommands = { top, refusals };
