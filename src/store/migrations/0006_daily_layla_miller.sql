ALTER TABLE "calls" ADD COLUMN "usage" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "cost" jsonb;