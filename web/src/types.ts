// The API's shapes as far as the page reads them; server/openapi.yaml says all of it.

import type {Ask, Decision, Plan, Presence} from "../../clients/node";

export type {Ask, Decision, Plan, Presence, Tier, ToolCall, TraceLine} from "../../clients/node";

export interface Thresholds {
  clear: number;
  confirm: number;
  guess: number;
  multi_intent: number;
  accept: number;
}

export interface Profile {
  profile: string;
  version: string;
  mode: string;
  description: string;
  thresholds: Thresholds;
  routes: {name: string; description: string}[];
  databases: string[];
  contract: {id: string; text: string; violations: number}[];
}

export interface Feedback {
  rating: "up" | "down";
  route: string;
  comment: string;
}

export interface Row {
  id: string;
  at: number;
  caller: string;
  version: string;
  redacted: boolean;
  feedback: Feedback | null;
  request: Record<string, unknown> & {query: string};
  decision: Decision;
}

export interface Replayed {
  id: string;
  same: boolean;
  redacted: boolean;
  error: string;
  before: Decision;
  after: Decision | null;
  changes: {field: string; before: string; after: string}[];
}

export interface Attachment {
  name: string;
  mime: string;
  text: string;
}

export interface Session {
  id: string;
  profile?: string;
  created: number;
  touched: number;
  messages: {role: string; content: string}[];
  intents: {type: string; topic: string}[];
  active_app?: string;
  app_state?: string;
  awaiting?: Ask & {query: string; route: string};
  plan?: Plan;
  evidence?: Record<string, Presence>;
  results?: string[];
  route?: string;
  model?: {slot: string; name: string};
}

export interface Report {
  rows: number;
  accuracy: number;
  in_scope_accuracy: number | null;
  macro_f1: number | null;
  exact_match: number | null;
  oos_recall: number | null;
  oos_auroc: number | null;
  false_accept_rate: number | null;
  false_ask_rate: number | null;
  ece: number | null;
  llm_share: number | null;
  latency_us: {p50: number; p99: number};
  routes: Record<string, {precision: number; recall: number; f1: number; support: number}>;
  confusions: {expected: string; got: string; count: number}[];
  judged?: string;
  data?: string;
  at?: number;
  reliability?: {confidence: number; accuracy: number; count: number}[];
  risk?: {coverage: number; risk: number}[];
  mistakes?: {text: string; expected: string; got: string; confidence: number | null}[];
  missed?: {figure: string; bound: number; ceiling: boolean; value: number | null}[];
}

export interface Drift {
  profile: string;
  rows: number;
  width_ms: number;
  points: {at: number; decisions: number; confidence: number; out_of_scope: number; asked: number; llm: number}[];
}

export interface KeyList {
  enabled: boolean;
  own: string;
  keys: {id: string; name: string; scope: string; rate: number; concurrency: number}[];
}

export interface SqlAnswer {
  sql: string | null;
  columns: string[];
  rows: unknown[][];
  refused: boolean;
  reason: string | null;
  ask: Ask | null;
  cut?: string | null;  // why rows are missing
  notes?: string[];
}
