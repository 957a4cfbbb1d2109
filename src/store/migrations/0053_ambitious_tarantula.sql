CREATE TABLE "operator_legs" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"call_id" text collate "C" NOT NULL,
	"leg_id" integer NOT NULL,
	"number_id" text collate "C" NOT NULL,
	"to_number" text NOT NULL,
	"carrier_call_id" text
);
--> statement-breakpoint
ALTER TABLE "operator_legs" ADD CONSTRAINT "operator_legs_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_legs_call" ON "operator_legs" USING btree ("call_id","leg_id");--> statement-breakpoint
CREATE INDEX "operator_legs_number" ON "operator_legs" USING btree ("to_number");