import { monitorEventLoopDelay, performance } from "node:perf_hooks";

import {
  eventLoopDelay,
  eventLoopUtilization,
  heapUsed,
  processCpuTime,
  processMemoryUsage,
} from "./standard.ts";

const LOOK_EVERY_MS = 10_000;
const NS_PER_S = 1e9;
const US_PER_S = 1e6;

/** Measures this process until disposed. */
export function measureProcess(): Disposable {
  const delay = monitorEventLoopDelay();
  delay.enable();
  const memory = [
    processMemoryUsage.observe({}, () => process.memoryUsage.rss()),
    heapUsed.observe({}, () => process.memoryUsage().heapUsed),
  ];
  let utilization = performance.eventLoopUtilization();
  let cpu = process.cpuUsage();
  const look = () => {
    eventLoopDelay.set(Number.isNaN(delay.mean) ? 0 : delay.percentile(99) / NS_PER_S, {});
    delay.reset();
    const now = performance.eventLoopUtilization();
    eventLoopUtilization.set(performance.eventLoopUtilization(now, utilization).utilization, {});
    utilization = now;
    const used = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    processCpuTime.add(used.user / US_PER_S, { "cpu.mode": "user" });
    processCpuTime.add(used.system / US_PER_S, { "cpu.mode": "system" });
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      delay.disable();
      for (const observer of memory) observer[Symbol.dispose]();
    },
  };
}
