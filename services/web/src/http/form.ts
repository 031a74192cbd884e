import express from "express";
import type { Request, RequestHandler } from "express";

const FORM_MAX_BYTES = 64 * 1_024;
const FIELDS_MAX = 100;

/** Middleware that reads forms. */
export function readForms(): RequestHandler {
  return express.urlencoded({ extended: false, limit: FORM_MAX_BYTES, parameterLimit: FIELDS_MAX });
}

/** The field's text without white space around it; empty when it is absent or given twice. */
export function formField(request: Request, name: string): string {
  return formSecret(request, name).trim();
}

/** The field's text as it was typed, for secrets, to which white space may belong. */
export function formSecret(request: Request, name: string): string {
  const form = (request.body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(form, name) ? form[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** All values of a field that may be given several times, such as check boxes. */
export function formFields(request: Request, name: string): string[] {
  const form = (request.body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(form, name) ? form[name] : [];
  return [value].flat().filter((one) => typeof one === "string");
}

/** A query parameter's text; empty when it is absent or given twice. */
export function queryField(request: Request, name: string): string {
  const values = new URL(request.originalUrl, "http://any").searchParams.getAll(name);
  return values.length === 1 ? values[0]!.trim() : "";
}
