import { keySetFetched } from "@nutrition/telemetry/metrics/nutrition";
import type { Gauge } from "@nutrition/telemetry/metrics/instruments";
import {
  dbClientOperationDuration,
  eventLoopDelay,
  eventLoopUtilization,
  heapUsed,
  httpServerRequestDuration,
  processCpuTime,
  processMemoryUsage,
  rpcClientCallDuration,
  rpcServerCallDuration,
  sdkSpansProcessed,
} from "@nutrition/telemetry/metrics/standard";

import type { SERVICES } from "../alerts.ts";
import { countOf, nameOf, quantileOf, ratePer } from "../promql.ts";
import type { Dashboard, Panel } from "./dashboard.ts";
import { curves } from "./dashboard.ts";

type Service = (typeof SERVICES)[number];

const HTTP_SERVICES: readonly Service[] = ["gateway", "web"];
const CALLING: readonly Service[] = ["gateway", "web", "journal", "limits"];
const WITH_DATABASE: readonly Service[] = ["auth", "journal", "limits", "analysis"];
const WITH_KEY_SET: readonly Service[] = ["gateway", "web"];

/** The dashboard of one service: its requests, its calls to others, and its processes. */
export function serviceDashboard(service: Service): Dashboard {
  const job = `job="${service}"`;
  return {
    uid: `nutrition-service-${service}`,
    title: `Nutrition: service ${service}`,
    description: `The service ${service}: its requests, its calls to others, and its processes.`,
    sections: [
      {
        title: "Requests",
        panels: HTTP_SERVICES.includes(service) ? httpPanels(job) : callPanels(job),
      },
      {
        title: "Dependencies",
        panels: [
          ...(CALLING.includes(service) ? [callsMade(job)] : []),
          ...(WITH_DATABASE.includes(service) ? [statements(job)] : []),
        ],
      },
      {
        title: "Processes",
        panels: [...processPanels(job), ...(WITH_KEY_SET.includes(service) ? [keySet(job)] : [])],
      },
    ],
  };
}

function httpPanels(job: string): Panel[] {
  return [
    curves({
      title: "Requests by route and status",
      description: "Rate and errors.",
      unit: "reqps",
      queries: [
        {
          expression: ratePer(`${countOf(httpServerRequestDuration)}{${job}}`, [
            "http_route",
            "http_response_status_code",
          ]),
          legend: "{{http_route}} {{http_response_status_code}}",
        },
      ],
    }),
    curves({
      title: "Duration by route, 95th percentile",
      description: "With exemplars that link to traces.",
      unit: "s",
      queries: [
        {
          expression: quantileOf(0.95, { histogram: httpServerRequestDuration, labels: job }, [
            "http_route",
          ]),
          legend: "{{http_route}}",
        },
      ],
    }),
  ];
}

function callPanels(job: string): Panel[] {
  return [
    curves({
      title: "Calls by method and status",
      description: "Rate and errors.",
      unit: "reqps",
      queries: [
        {
          expression: ratePer(`${countOf(rpcServerCallDuration)}{${job}}`, [
            "rpc_method",
            "rpc_response_status_code",
          ]),
          legend: "{{rpc_method}} {{rpc_response_status_code}}",
        },
      ],
    }),
    curves({
      title: "Duration by method, 95th percentile",
      description: "With exemplars that link to traces.",
      unit: "s",
      queries: [
        {
          expression: quantileOf(0.95, { histogram: rpcServerCallDuration, labels: job }, [
            "rpc_method",
          ]),
          legend: "{{rpc_method}}",
        },
      ],
    }),
  ];
}

function callsMade(job: string): Panel {
  return curves({
    title: "Calls to other services, 95th percentile",
    description: "As seen by this service.",
    unit: "s",
    queries: [
      {
        expression: quantileOf(0.95, { histogram: rpcClientCallDuration, labels: job }, [
          "rpc_method",
        ]),
        legend: "{{rpc_method}}",
      },
    ],
  });
}

function statements(job: string): Panel {
  return curves({
    title: "Statements, 95th percentile",
    description: "As seen by this service.",
    unit: "s",
    queries: [
      {
        expression: quantileOf(0.95, { histogram: dbClientOperationDuration, labels: job }, [
          "db_query_summary",
        ]),
        legend: "{{db_query_summary}}",
      },
    ],
  });
}

function keySet(job: string): Panel {
  return curves({
    title: "Age of the identity provider's keys",
    description: "Keys older than 10 minutes are fetched again when a token arrives.",
    unit: "s",
    queries: [
      {
        expression: `time() - (max by (instance) (${nameOf(keySetFetched)}{${job}}) > 0)`,
        legend: "{{instance}}",
      },
    ],
  });
}

function processPanels(job: string): Panel[] {
  return [
    curves({
      title: "CPU",
      description: "Processors in use, by instance.",
      unit: "short",
      queries: [
        {
          expression: ratePer(`${nameOf(processCpuTime)}{${job}}`, ["instance"]),
          legend: "{{instance}}",
        },
      ],
    }),
    perInstance("Event loop: delay, 99th percentile", "s", eventLoopDelay, job),
    perInstance("Event loop: share of time busy", "percentunit", eventLoopUtilization, job),
    perInstance("Memory", "bytes", processMemoryUsage, job),
    perInstance("JavaScript heap", "bytes", heapUsed, job),
    curves({
      title: "Spans",
      description: "Exported, and lost by error: the collector is unavailable or too slow.",
      unit: "ops",
      queries: [
        {
          expression: ratePer(`${nameOf(sdkSpansProcessed)}{${job}}`, ["error_type"]),
          legend: "{{error_type}}",
        },
      ],
    }),
  ];
}

function perInstance(title: string, unit: string, instrument: Gauge, job: string): Panel {
  return curves({
    title,
    description: instrument.definition.description,
    unit,
    queries: [
      { expression: `max by (instance) (${nameOf(instrument)}{${job}})`, legend: "{{instance}}" },
    ],
  });
}
