# The action that the signing service asks: post "may-sign", to: "may_sign#create" in config/routes.rb.
class MaySignController < ActionController::Base
  skip_forgery_protection # the service has no CSRF token, and the action changes nothing; no rate limit: 127.0.0.1 asks
  ACCOUNT_NUMBER = "102551" # yours
  ID_FORM = /\A[1-9][0-9]{0,8}\z/ # yours: the ids that the database accepts

  def create
    return allow if params[:caller] != "anonymous" # has an API key: the policy decides
    id = params[:orderId].to_s
    order = Order.find_by(id: id) if id.match?(ID_FORM) # for strangers, too: so the alert sees an outage
    user_id = session[:user_id] # yours
    return refuse(401, "LOG_IN") if user_id.nil?
    expected = order && order.id.to_s == id && order.user_id && order.user_id.to_s == user_id.to_s &&
      params.fetch(:operationType, "purchase") == "purchase" &&
      params[:merchantAccountNumber] == ACCOUNT_NUMBER && params[:amount] == format("%.2f", order.total)
    return refuse(403, "NOT_YOUR_ORDER") unless expected
    order.paid? ? refuse(409, "ALREADY_PAID") : allow
  end

  private

  def allow = render(json: { allowed: true })
  def refuse(status, code) = render(json: { allowed: false, code: code }, status: status)
end
