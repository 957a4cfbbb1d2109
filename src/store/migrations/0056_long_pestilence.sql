ALTER TABLE "calls" ADD COLUMN "lost_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "lease_ms" integer DEFAULT 0 NOT NULL;