import { printable } from "@nutrition/core/printable";

import type { Command } from "../command.ts";
import { examine } from "../doctor/examine.ts";
import type { Finding, Level } from "../doctor/finding.ts";

const MARKS: Readonly<Record<Level, string>> = {
  ok: "✓",
  warning: "!",
  problem: "✗",
  unchecked: "-",
};

/** Checks a running installation. */
export const doctor: Command = {
  summary: "Check the whole installation and say what to do.",
  details: [
    "Asks every service, the public address and the identity provider concurrently, for a few seconds",
    "at most, even while some of them are down. Nothing is changed.",
    "",
    "✓ fine   ! needs attention   ✗ does not work or is not safe   - not checked",
    "",
    "Exit code 1 when there is a ✗. With --json: {healthy, findings: [{level, code, subject, message,",
    "advice}]}, where level is ok, warning, problem or unchecked.",
    "",
    "BASE_URL, AUTH_URL and AUTH_API_KEY say where the public address and the identity provider are;",
    "the first two are known from the local launcher and the gateway.",
  ],
  options: [],
  positionals: [],
  async run(services) {
    const findings = await examine(services.config, services.clock);
    const healthy = findings.every(({ level }) => level !== "problem");
    return { json: { healthy, findings }, text: textOf(findings), isNegative: !healthy };
  },
};

function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(({ level, subject, message, advice }) => {
    const line = `${MARKS[level]} ${subject.padEnd(width)}  ${message}`;
    return advice === null ? [line] : [line, `${" ".repeat(width + 4)}→ ${advice}`];
  });
  return [...lines.map(printable), "", summaryOf(findings)].join("\n");
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (wanted: Level) => findings.filter(({ level }) => level === wanted).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  if (problems + warnings === 0) return "Healthy.";
  return `${problems === 0 ? "Healthy, with" : `${counted(problems, "problem")} and`} ${counted(warnings, "warning")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
